import type { WebhookDelivery } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { unavailable } from '../../server/errors/api-error.ts';
import type { Placed } from '../../server/pagination/page.ts';
import { AccountLog } from './account-log.ts';

/** A log that nobody reads is watched for so long. */
const IDLE_MS = 2 * 60_000;

/** What is held at the same time; of more, what was read longest ago is dropped. */
export interface LogLimits {
  /** Accounts that are watched. */
  readonly accounts: number;
  /** Deliveries of all accounts; one account may have more alone. */
  readonly deliveries: number;
}

/** A delivery takes about a kilobyte. */
const LIMITS: LogLimits = { accounts: 100, deliveries: 150_000 };

interface Watched {
  readonly log: AccountLog;
  readonly cancelIdle: () => void;
}

/**
 * What lists show of deliveries. The API server lists the oldest first and cannot count what a filter leaves, so that
 * every page would read every delivery of the account; and a watch of all accounts would bring each gateway several
 * events a document that hardly anybody asks for. So an account is watched from the first time its log is read until
 * nobody has read it for two minutes.
 */
export class DeliveryLog {
  readonly #kubernetes: KubernetesClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #limits: LogLimits;
  /** By account, the one that was read last at the end. */
  readonly #watched = new Map<string, Watched>();

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger, limits = LIMITS) {
    this.#kubernetes = kubernetes;
    this.#clock = clock;
    this.#logger = logger;
    this.#limits = limits;
  }

  /**
   * Every delivery of an account, newest first, as far as lists show it; to be read at once, as it changes. Rejects with
   * ApiError `unavailable` and KubernetesApiError.
   */
  async list(account: string): Promise<readonly Placed<WebhookDelivery>[]> {
    return this.#read(account).list();
  }

  /** Notes what this gateway wrote: later lists show it. */
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

  /** The one that was read last stays, however large it is. */
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
