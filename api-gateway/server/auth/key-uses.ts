import type { ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';

/** The time of a key's last use is written down at most so often. */
export const USE_WRITTEN_EVERY_MS = 60_000;
/** How long after a use its time is written: the request that used the key is over by then. */
const WRITE_AFTER_MS = 1_000;
/** Writes under way at once. */
const MOST_WRITES = 4;
/** How long a gateway that stops goes on writing. */
const LAST_WRITES_MS = 1_000;

interface KeyName {
  readonly account: string;
  readonly name: string;
}

export interface KeyUsesOptions {
  /** What is known of the keys, what other gateways wrote included. */
  readonly keys: Pick<Informer<ApiKey>, 'get'>;
  readonly client: Pick<ResourceClient<ApiKey>, 'patchStatus'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes down when a key was last used, in the status of its resource, at most once a minute a key over all gateways:
 * a gateway writes on top of the version that it knows, so that of several that write at once one succeeds. Nobody
 * waits for that, and a write that fails is not repeated: the next use after a minute tries again.
 */
export class KeyUses {
  readonly #options: KeyUsesOptions;
  /** Keys to be written, by account and name. */
  readonly #due = new Map<string, KeyName>();
  /** When this gateway last tried to write a key, milliseconds since 1970; oldest first. */
  readonly #tried = new Map<string, number>();
  readonly #stopping = new AbortController();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: KeyUsesOptions) {
    this.#options = options;
  }

  /** Notes that a key was used now. Returns at once. */
  note(account: string, name: string): void {
    const id = `${account}/${name}`;
    if (this.#due.has(id) || this.#stopping.signal.aborted) return;
    const now = this.#options.clock.now().getTime();
    if (isRecent(this.#tried.get(id), now) || this.#isWritten(account, name, now)) return;
    this.#due.set(id, { account, name });
    this.#plan();
  }

  /** Writes what is due, within a second, and nothing more. */
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

  /** Other changes to the key count as a use that somebody else wrote; they are rare, and a minute is soon over. */
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

/** A time in the future, of a clock that was wrong, is not recent for ever. */
function isRecent(time: number | undefined, now: number): boolean {
  return time !== undefined && Math.abs(now - time) < USE_WRITTEN_EVERY_MS;
}
