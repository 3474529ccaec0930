import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { ApiError } from '../server/errors/api-error.ts';
import type { Caller } from '../server/auth/caller.ts';

const MOST_PREVIEWS = BOUNDS.previews.limit.value;
const RETRY_AFTER_S = 1;

/** A preview in flight. */
interface PreviewTurn {
  readonly supersede: () => void;
  readonly ended: Promise<void>;
}

/** Sender of a preview. */
export interface PreviewSender {
  readonly caller: Caller;
  /** Identifies an editor of the caller. */
  readonly session: string | undefined;
  /** Aborts when nobody waits for the preview any longer. */
  readonly signal: AbortSignal;
}

/** Limits the previews in flight: a few of each account, and one of each session. */
export class PreviewTurns {
  /** By account. */
  readonly #running = new Map<string, number>();
  /** The newest of each session. */
  readonly #sessions = new Map<string, PreviewTurn>();

  /**
   * Runs a preview after it has cancelled the previous one of its session. Rejects with ApiError `preview_superseded`,
   * ApiError `too_many_previews`, the reason of the sender's signal, or the error of `work`.
   */
  async run<T>(sender: PreviewSender, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { session, caller } = sender;
    if (session === undefined) return this.#runCounted(sender, work);
    const key = `${caller.account}/${caller.keyId}/${session}`;
    const previous = this.#sessions.get(key);
    const superseded = new AbortController();
    const ended = Promise.withResolvers<void>();
    const turn: PreviewTurn = {
      supersede: () => superseded.abort(supersededByNewer()),
      ended: ended.promise,
    };
    this.#sessions.set(key, turn);
    try {
      previous?.supersede();
      await previous?.ended;
      const signal = AbortSignal.any([sender.signal, superseded.signal]);
      return await this.#runCounted({ ...sender, signal }, work);
    } finally {
      if (this.#sessions.get(key) === turn) this.#sessions.delete(key);
      ended.resolve();
    }
  }

  async #runCounted<T>(
    { caller: { account }, signal }: PreviewSender,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(account) ?? 0;
    if (running >= MOST_PREVIEWS) throw tooManyPreviews();
    this.#running.set(account, running + 1);
    try {
      return await work(signal);
    } finally {
      this.#ended(account);
    }
  }

  #ended(account: string): void {
    const left = (this.#running.get(account) ?? 0) - 1;
    if (left > 0) this.#running.set(account, left);
    else this.#running.delete(account);
  }
}

function supersededByNewer(): ApiError {
  return new ApiError('preview_superseded', 'A newer preview of the same session replaced this one.');
}

function tooManyPreviews(): ApiError {
  const message = `${MOST_PREVIEWS} previews of the account are in progress. Wait until one has ended, or send Preview-Session.`;
  return new ApiError('too_many_previews', message, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
