import type { FastifyInstance, FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import { keyPath, type Caller } from '../auth/caller.ts';
import { ByteBudget, SMALL_BYTES } from '../budget/byte-budget.ts';
import { ApiError, unavailable } from '../errors/api-error.ts';
import { disconnection, onResponseEnd } from '../http/response-end.ts';
import { Slots } from '../quota/slots.ts';
import { watchReading } from './reading.ts';

import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyReply {
    /** Number of bytes that this response's stream holds in memory until it ends. */
    heldBytes: number;
    /**
     * Waits for one of the caller's slots for a stream from the object store; the slot is freed when the response ends.
     * Rejects with ApiError `too_many_downloads`.
     */
    openDownload(): Promise<void>;
    /** Marks the response to a GET request with a key as prepared. */
    endPreparation: (() => void) | undefined;
  }
}

/** Approximate memory of a request's objects, and of a stream's buffers. */
const REQUEST_BYTES = 8 * 1024;
const STREAM_BYTES = 128 * 1024;
const PIECE_BYTES = 64 * 1024;
/** A client that reads its responses may request many files concurrently: the files wait for each other. */
const DOWNLOAD_WAIT_MS = 2_000;

/**
 * Limits the memory and connections that unread responses use (docs/adr/0041-unread-responses.md). A response over 64
 * KiB counts before it is sent; a smaller one counts only if the kernel does not accept it immediately.
 */
export const unsentResponses = fastifyPlugin(
  async (app: FastifyInstance, { clock, metrics }: { clock: Clock; metrics: Metrics }) => {
    const withKey = budgetOf(BOUNDS.responses, 'an API key');
    const withoutKey = budgetOf(BOUNDS.responsesWithoutKey, 'a connection');
    const downloads = new Slots({
      most: BOUNDS.downloads.limit.value,
      clock,
      wait: { ms: DOWNLOAD_WAIT_MS, error: tooManyOpen },
    });
    const reads = new Slots({ most: BOUNDS.reads.limit.value, clock });
    const help = 'Total size of responses that the gateway holds until clients read them, in bytes.';
    const unsentBytes = () => withKey.total + withoutKey.total;
    metrics.gaugeOf({ name: 'trifold_gateway_unsent_response_bytes', help }, unsentBytes);
    app.decorateReply('heldBytes', 0);
    app.decorateReply('openDownload', async function openDownload(this: FastifyReply) {
      this.endPreparation?.();
      const free = await downloads.take(keyPath(this.request.caller), disconnection(this));
      onResponseEnd(this.raw, free);
    });
    app.decorateReply('endPreparation', undefined);
    // A response counts once it exists. Until then, only this limits how many are in memory.
    app.addHook('preHandler', async ({ method, caller }, reply) => {
      const isRead = method === 'GET' || method === 'HEAD';
      if (!isRead || !(caller as Caller | undefined)) return;
      reply.endPreparation = await reads.take(keyPath(caller), disconnection(reply));
      onResponseEnd(reply.raw, reply.endPreparation);
    });

    /** Throws ApiError `too_many_downloads` or `unavailable`. */
    const hold = ({ request, raw }: FastifyReply, bytes: number, isStream: boolean): void => {
      const { socket } = request;
      const caller = request.caller as Caller | undefined;
      const reservation = caller ? withKey.open(keyPath(caller)) : withoutKey.open(socket);
      reservation.extend(bytes);
      const endWatch = watchReading(socket, { isStream, clock });
      onResponseEnd(raw, () => {
        endWatch();
        reservation.release();
      });
    };
    app.addHook('onSend', (request, reply, payload: unknown, done) => {
      reply.endPreparation?.();
      const isStream = payload instanceof Readable;
      const bytes = isStream ? STREAM_BYTES + reply.heldBytes : lengthOf(payload);
      if (bytes <= SMALL_BYTES || request.method === 'HEAD') {
        setImmediate(holdUnsent, reply, () => hold(reply, REQUEST_BYTES + lengthOf(payload), false));
        done(null, payload);
        return;
      }
      try {
        hold(reply, bytes, isStream && reply.heldBytes === 0);
      } catch (error) {
        if (isStream) payload.destroy();
        done(error as Error);
        return;
      }
      done(null, isStream ? payload : inPieces(reply, payload as string | Buffer));
    });
  },
  { name: 'unsent-responses' },
);

/** Counts a small response that the kernel has not accepted, or closes its connection if the budget is used up. */
function holdUnsent({ raw, request }: FastifyReply, hold: () => void): void {
  if (raw.writableFinished || raw.destroyed) return;
  try {
    hold();
  } catch {
    request.socket.destroy();
  }
}

/** Sends a payload in pieces, so that the gateway sees how fast the client reads. A string is encoded only once. */
function inPieces(reply: FastifyReply, payload: string | Buffer): Readable {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  reply.header('content-length', String(bytes.length));
  return Readable.from(piecesOf(bytes));
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}

function tooManyOpen(): ApiError {
  const { value } = BOUNDS.downloads.limit;
  return tooManyDownloads(`The API key has ${value} open downloads. Finish those downloads first.`);
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
}

/** 429: the client has not read its earlier responses. */
function tooManyDownloads(message: string): ApiError {
  return new ApiError('too_many_downloads', message, { headers: { 'retry-after': '1' } });
}

function budgetOf(
  { limit, total }: typeof BOUNDS.responses | typeof BOUNDS.responsesWithoutKey,
  holder: string,
): ByteBudget {
  const holderExceeded = () =>
    tooManyDownloads(
      `Unread responses for ${holder} are limited to ${limit.value} bytes in total. Read those responses first.`,
    );
  const totalExceeded = () =>
    unavailable('The unread responses of all clients have reached the limit. Try again in a moment.');
  return new ByteBudget({ perHolder: limit.value, total: total.value, holderExceeded, totalExceeded });
}
