import type { ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';

/** Minimum interval between two writes of a key's last use. */
export const USE_WRITTEN_EVERY_MS = 60_000;
/** Delay between a use and its write; by then, the request that used the key has ended. */
const WRITE_AFTER_MS = 1_000;
/** Maximum concurrent writes. */
const MAX_WRITES = 4;
/** Time limit for the last writes of a stopping gateway. */
const LAST_WRITES_MS = 1_000;

interface KeyName {
  readonly account: string;
  readonly name: string;
}

export interface KeyUsesOptions {
  /** Cache of the keys, including what other gateways wrote. */
  readonly keys: Pick<Informer<ApiKey>, 'get'>;
  readonly client: Pick<ResourceClient<ApiKey>, 'patchStatus'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the time of last use to a key's status, at most once a minute per key across all gateways. A gateway updates
 * the version in its cache, so only one of several concurrent writes succeeds. No request waits for a write. A failed
 * write is not retried; the next use after a minute writes again.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  /** Keys to be written, by account and name. */
  readonly #due = new Map<string, KeyName>();
  /** Times of this gateway's last write attempt for each key, as `Clock.monotonicMs`; oldest first. */
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
    if (this.#isTried(id) || this.#isWritten(account, name)) return;
    this.#due.set(id, { account, name });
    this.#plan();
  }

  /** Writes the keys that are due, within a second; ignores later uses. */
  async stop(): Promise<void> {
    this.#cancel?.();
    const cancel = this.#options.clock.schedule(LAST_WRITES_MS, () => this.#stopping.abort());
    await this.#writing;
    await this.#writeDue();
    cancel();
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
    await inParallel(this.#due, MAX_WRITES, async ([id, key]) => {
      this.#due.delete(id);
      await this.#write(id, key).catch((error: unknown) => failures.push(error));
    });
    if (failures.length === 0) return;
    const fields = { err: failures[0], keys: failures.length };
    this.#options.logger.warn(fields, 'failed to record the last use of API keys');
  }

  /**
   * Any other change to the key counts as a use that another gateway wrote; such changes are rare, and a use can be
   * written again after a minute.
   */
  async #write(id: string, { account, name }: KeyName): Promise<void> {
    const { keys, client, clock } = this.#options;
    const known = keys.get(account, name);
    if (!known || this.#isWritten(account, name)) return;
    this.#remember(id);
    const { resourceVersion } = known.metadata;
    const patch = { metadata: { resourceVersion }, status: { lastUsedAt: clock.now().toISOString() } };
    try {
      await client.patchStatus({ namespace: account, name }, patch, this.#stopping.signal);
    } catch (error) {
      const isNothing = isApiError(error, 'Conflict') || isApiError(error, 'NotFound');
      if (!isNothing && !this.#stopping.signal.aborted) throw error;
    }
  }

  /** A future time, written by a gateway whose clock is wrong, must not count as recent forever. */
  #isWritten(account: string, name: string): boolean {
    const lastUsedAt = Date.parse(this.#options.keys.get(account, name)?.status?.lastUsedAt ?? '');
    return Math.abs(this.#options.clock.now().getTime() - lastUsedAt) < USE_WRITTEN_EVERY_MS;
  }

  #isTried(id: string): boolean {
    return this.#options.clock.monotonicMs() - (this.#tried.get(id) ?? -Infinity) < USE_WRITTEN_EVERY_MS;
  }

  #remember(id: string): void {
    this.#tried.delete(id);
    this.#tried.set(id, this.#options.clock.monotonicMs());
    for (const other of this.#tried.keys()) {
      if (this.#isTried(other)) break;
      this.#tried.delete(other);
    }
  }
}
