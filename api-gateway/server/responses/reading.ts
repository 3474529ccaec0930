import type { Socket } from 'node:net';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';

const MIN_BYTES_PER_SECOND = BOUNDS.readingRate.limit.value * 1024;
const STALL_MS = BOUNDS.stalledDownloads.limit.value * 1000;
/** Grace period for a slow start, such as TCP slow start. */
const GRACE_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;

/**
 * Closes a connection whose client reads nothing for a minute or, if the response is in memory rather than a stream,
 * reads it too slowly. Only the time the socket spends waiting for its client counts. Returns a function that stops
 * monitoring.
 */
export function watchReading(
  socket: Socket,
  { isStream, clock }: { isStream: boolean; clock: Clock },
): () => void {
  const begin = sentBytes(socket);
  let before = begin;
  let waitedMs = 0;
  let stalledMs = 0;
  const check = () => {
    if (socket.writableLength > 0) {
      const sent = sentBytes(socket);
      waitedMs += CHECK_INTERVAL_MS;
      stalledMs = sent > before ? 0 : stalledMs + CHECK_INTERVAL_MS;
      before = sent;
      const wanted = isStream ? 0 : (MIN_BYTES_PER_SECOND * (waitedMs - GRACE_MS)) / 1000;
      if (stalledMs >= STALL_MS || sent - begin < wanted) {
        socket.destroy();
        return;
      }
    }
    cancel = clock.schedule(CHECK_INTERVAL_MS, check);
  };
  let cancel = clock.schedule(CHECK_INTERVAL_MS, check);
  return () => cancel();
}

/** Number of bytes that the kernel has accepted. */
function sentBytes({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
