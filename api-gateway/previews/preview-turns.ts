import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { keyOf, type Caller } from '../server/auth/caller.ts';

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
  /** The response to the sender. */
  readonly response: PreviewResponse;
}

export interface PreviewResponse {
  /** Calls `callback` when the response is sent or its connection is closed. */
  onEnd(callback: () => void): void;
  /** Closes the connection. */
  destroy(): void;
}

/**
 * Limits the previews in flight: a few of each account, and one of each session. A preview that was rendered is in flight
 * until its response ends.
 */
export class PreviewTurns {
  /** By account. */
  readonly #running = new Map<string, number>();
  /** The newest of each session. */
  readonly #sessions = new Map<string, PreviewTurn>();

  /**
   * Runs a preview after it has cancelled the previous one of its session, or has closed its connection. Rejects with
   * ApiError `preview_superseded`, ApiError `too_many_previews`, the reason of the sender's signal, or the error of
   * `work`.
   */
  async run<T>(sender: PreviewSender, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { session, caller, response } = sender;
    if (session === undefined) return this.#runCounted(sender, work, () => undefined);
    const key = `${keyOf(caller)}/${session}`;
    const previous = this.#sessions.get(key);
    const superseded = new AbortController();
    const ended = Promise.withResolvers<void>();
    const turn = {
      supersede: () => superseded.abort(supersededByNewer()),
      ended: ended.promise,
    };
    const end = () => {
      if (this.#sessions.get(key) === turn) this.#sessions.delete(key);
      ended.resolve();
    };
    this.#sessions.set(key, turn);
    try {
      previous?.supersede();
      await previous?.ended;
      const signal = AbortSignal.any([sender.signal, superseded.signal]);
      const result = await this.#runCounted({ ...sender, signal }, work, end);
      turn.supersede = () => response.destroy();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Calls `onEnd` when the response of a successful preview has ended. */
  async #runCounted<T>(
    { caller: { account }, signal, response }: PreviewSender,
    work: (signal: AbortSignal) => Promise<T>,
    onEnd: () => void,
  ): Promise<T> {
    signal.throwIfAborted();
    const running = this.#running.get(account) ?? 0;
    if (running >= MOST_PREVIEWS) throw tooManyPreviews();
    this.#running.set(account, running + 1);
    try {
      const result = await work(signal);
      response.onEnd(() => {
        this.#ended(account);
        onEnd();
      });
      return result;
    } catch (error) {
      this.#ended(account);
      throw error;
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
