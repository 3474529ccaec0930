import type { WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { unavailable } from '../../server/errors/api-error.ts';
import type { Placed } from '../../server/pagination/page.ts';
import { AccountLog } from './account-log.ts';

/** Time without reads after which a log is no longer watched. */
const IDLE_MS = 2 * 60_000;

/** Limits of the cache; the least recently read logs are dropped first. */
export interface LogLimits {
  /** Maximum number of watched accounts. */
  readonly accounts: number;
  /** Maximum number of deliveries of all accounts; a single account may exceed it alone. */
  readonly deliveries: number;
}

/** A delivery takes about a kilobyte. */
const LIMITS: LogLimits = { accounts: 100, deliveries: 150_000 };

interface Watched {
  readonly log: AccountLog;
  readonly cancelIdle: () => void;
}

/**
 * Cache of deliveries for lists. The API server lists the oldest first and cannot count filtered results, so every page
 * would read every delivery of the account. A watch of all accounts would send each gateway several events per document
 * that are rarely read. So an account is watched from the first read of its log until two minutes after the last read.
 */
export class DeliveryLog {
  readonly #kubernetes: KubernetesClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #limits: LogLimits;
  /** By account, in the order of the last read. */
  readonly #watched = new Map<string, Watched>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger, limits = LIMITS) {
    this.#kubernetes = kubernetes;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
  }

  /**
   * Returns every delivery of an account, slimmed, newest first. Read the array at once, because later events change
   * it. Rejects with ApiError `unavailable` and KubernetesApiError.
   */
  async list(account: string): Promise<readonly Placed<WebhookDelivery>[]> {
    return this.#read(account).list();
  }

  /** Records a write of this gateway, so that later lists include it. */
  wrote(delivery: WebhookDelivery): void {
    this.#watched.get(delivery.metadata.namespace ?? '')?.log.wrote(delivery);
  }

  async stop(): Promise<void> {
    const why = unavailable('The service is stopping.');
    await Promise.all([...this.#watched.keys()].map(async (account) => this.#drop(account, why)));
  }

  #read(account: string): AccountLog {
    const known = this.#watched.get(account);
    known?.cancelIdle();
    const log = known?.log ?? this.#watch(account);
    const idle = unavailable('The log of deliveries is read no more. Try again in a moment.');
    const cancelIdle = this.#clock.schedule(IDLE_MS, () => void this.#drop(account, idle));
    this.#watched.delete(account);
    this.#watched.set(account, { log, cancelIdle });
    this.#makeRoom();
    return log;
  }

  #watch(account: string): AccountLog {
    return new AccountLog(account, {
      kubernetes: this.#kubernetes,
      clock: this.#clock,
      logger: this.#logger,
      onGrowth: () => this.#makeRoom(),
    });
  }

  /** The most recently read log stays, whatever its size. */
  #makeRoom(): void {
    const sizes = [...this.#watched].map(([account, { log }]) => ({ account, size: log.size }));
    let deliveries = sizes.reduce((sum, { size }) => sum + size, 0);
    for (const { account, size } of sizes.slice(0, -1)) {
      if (this.#watched.size <= this.#limits.accounts && deliveries <= this.#limits.deliveries) return;
      deliveries -= size;
      void this.#drop(account, unavailable('Many logs of deliveries are being read. Try again in a moment.'));
    }
  }

  async #drop(account: string, why: Parameters<AccountLog['stop']>[0]): Promise<void> {
    const watched = this.#watched.get(account);
    this.#watched.delete(account);
    watched?.cancelIdle();
    await watched?.log.stop(why);
  }
}
