import type { FastifyReply } from 'fastify';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { ApiError } from '../server/errors/api-error.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { keyPath, type Caller } from '../server/auth/caller.ts';
import { onResponseEnd } from '../server/http/response-end.ts';
import { Slots } from '../server/quota/slots.ts';

/** Previews in flight per account; the number is in preview-bounds.ts. */
const MAX_PREVIEWS = BOUNDS.previews.limit.value;

const SUPERSEDED = 'A newer preview in the same session replaced this one.';

/** A preview in flight. */
interface PreviewTurn {
  readonly supersede: () => void;
  readonly ended: Promise<void>;
}

/** Sender of a preview request. */
export interface PreviewSender {
  readonly caller: Caller;
  /** Identifies one of the caller's editors. */
  readonly session: string | undefined;
  /** Aborts when no client is waiting for the preview. */
  readonly signal: AbortSignal;
  readonly reply: FastifyReply;
}

/**
 * Limits the previews in flight: a few per account and one per session. A rendered preview is in flight until its
 * response ends.
 */
export class PreviewTurns {
  /** By account. */
  readonly #slots: Slots;
  /** The newest preview of each session. */
  readonly #sessions = new Map<string, PreviewTurn>();

  constructor(clock: Clock) {
    this.#slots = new Slots({ most: MAX_PREVIEWS, clock, wait: { ms: 0, error: tooManyPreviews } });
  }

  /** Whether the account has a preview in flight. */
  isBusy(account: string): boolean {
    return this.#slots.isHolding(account);
  }

  /**
   * Runs a preview after cancelling the session's previous one or closing its connection. Rejects with ApiError
   * `preview_superseded`, ApiError `too_many_previews`, the reason of the sender's signal, or the error of `work`.
   */
  async run<T>(sender: PreviewSender, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { session, caller, reply } = sender;
    // The client may have disconnected while the route read a stored version; this preview must not replace a newer
    // one.
    sender.signal.throwIfAborted();
    if (session === undefined) return this.#runCounted(sender, work, () => undefined);
    const key = `${keyPath(caller)}/${session}`;
    const previous = this.#sessions.get(key);
    const superseded = new AbortController();
    const ended = Promise.withResolvers<void>();
    const turn = {
      supersede: () => superseded.abort(new ApiError('preview_superseded', SUPERSEDED)),
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
      turn.supersede = () => reply.request.socket.destroy();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  }

  /** Calls `onEnd` when the response to a successful preview has ended. */
  async #runCounted<T>(
    { caller: { account }, signal, reply }: PreviewSender,
    work: (signal: AbortSignal) => Promise<T>,
    onEnd: () => void,
  ): Promise<T> {
    const free = await this.#slots.take(account, signal);
    try {
      const result = await work(signal);
      onResponseEnd(reply.raw, () => {
        free();
        onEnd();
      });
      return result;
    } catch (error) {
      free();
      throw error;
    }
  }
}

function tooManyPreviews(): ApiError {
  const message = `The account already has ${MAX_PREVIEWS} previews in progress. Wait until one finishes, or send Preview-Session.`;
  return new ApiError('too_many_previews', message, { headers: { 'retry-after': '1' } });
}
