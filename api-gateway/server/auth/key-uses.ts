import type { ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';

/** Minimum interval between two writes of a key's last use. */
export const USE_WRITTEN_EVERY_MS = 60_000;
/** Delay of a write after a use: the request that used the key is over by then. */
const WRITE_AFTER_MS = 1_000;
/** Maximum concurrent writes. */
const MOST_WRITES = 4;
/** Time limit for the last writes of a stopping gateway. */
const LAST_WRITES_MS = 1_000;

interface KeyName {
  readonly account: string;
  readonly name: string;
}

export interface KeyUsesOptions {
  /** Cache of the keys; it includes what other gateways wrote. */
  readonly keys: Pick<Informer<ApiKey>, 'get'>;
  readonly client: Pick<ResourceClient<ApiKey>, 'patchStatus'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the time of last use into the status of a key, at most once a minute for each key across all gateways. A
 * gateway updates the version that it knows, so only one of several concurrent writes succeeds. No request waits for a
 * write. A failed write is not retried; the next use after a minute tries again.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  /** Keys to be written, by account and name. */
  readonly #due = new Map<string, KeyName>();
  /** Times of this gateway's last attempts to write a key, milliseconds since 1970; oldest first. */
  readonly #tried = new Map<string, number>();
  readonly #stopping = new AbortController();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Records that a key was used now. Returns immediately. */
  note(account: string, name: string): void {
    const id = `${account}/${name}`;
    if (this.#due.has(id) || this.#stopping.signal.aborted) return;
    const now = this.#options.clock.now().getTime();
    if (isRecent(this.#tried.get(id), now) || this.#isWritten(account, name, now)) return;
    this.#due.set(id, { account, name });
    this.#plan();
  }

  /** Writes the due keys within a second; ignores later uses. */
  async stop(): Promise<void> {
    this.#cancel?.();
    const giveUp = this.#options.clock.schedule(LAST_WRITES_MS, () => this.#stopping.abort());
    await this.#writing;
    await this.#writeDue();
    giveUp();
    this.#stopping.abort();
  }

  #plan(): void {
    if (this.#cancel || this.#writing) return;
    this.#cancel = this.#options.clock.schedule(WRITE_AFTER_MS, () => {
      this.#cancel = undefined;
      this.#writing = this.#writeDue().finally(() => {
        this.#writing = undefined;
        if (this.#due.size > 0 && !this.#stopping.signal.aborted) this.#plan();
      });
    });
  }

  async #writeDue(): Promise<void> {
    const failures: unknown[] = [];
    await inParallel(this.#due, MOST_WRITES, async ([id, key]) => {
      this.#due.delete(id);
      await this.#write(id, key).catch((error: unknown) => failures.push(error));
    });
    if (failures.length === 0) return;
    const fields = { err: failures[0], keys: failures.length };
    this.#options.logger.warn(fields, 'last use of API keys not recorded');
  }

  /**
   * Any other change to the key counts as a use that another gateway wrote; such changes are rare, and a use can be
   * written again after a minute.
   */
  async #write(id: string, { account, name }: KeyName): Promise<void> {
    const { keys, client, clock } = this.#options;
    const now = clock.now();
    const known = keys.get(account, name);
    if (!known || this.#isWritten(account, name, now.getTime())) return;
    this.#remember(id, now.getTime());
    const { resourceVersion } = known.metadata;
    const patch = { metadata: { resourceVersion }, status: { lastUsedAt: now.toISOString() } };
    try {
      await client.patchStatus({ namespace: account, name }, patch, this.#stopping.signal);
    } catch (error) {
      const isNothing = isApiError(error, 'Conflict') || isApiError(error, 'NotFound');
      if (!isNothing && !this.#stopping.signal.aborted) throw error;
    }
  }

  #isWritten(account: string, name: string, now: number): boolean {
    return isRecent(Date.parse(this.#options.keys.get(account, name)?.status?.lastUsedAt ?? ''), now);
  }

  #remember(id: string, now: number): void {
    this.#tried.delete(id);
    this.#tried.set(id, now);
    for (const [other, at] of this.#tried) {
      if (isRecent(at, now)) break;
      this.#tried.delete(other);
    }
  }
}

/** A future time, from a wrong clock, must not stay recent forever. */
function isRecent(time: number | undefined, now: number): boolean {
  return time !== undefined && Math.abs(now - time) < USE_WRITTEN_EVERY_MS;
}
