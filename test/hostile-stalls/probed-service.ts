/**
 * The standalone service with a probe of its main thread. The probe listens on a separate port, which it prints:
 *
 * - `POST /parse`: milliseconds that `JSON.parse` of the body takes, `{ ms }`.
 * - `POST /begin`: starts a measurement.
 * - `POST /end`: waits until the thread is idle; milliseconds of the longest stall, and without
 *   garbage collection, `{ ms, ownMs }`.
 * - `POST /held`: bytes of the heap and of buffers after a garbage collection, `{ bytes }`.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { StallMeter, timeOf } from './stall-meter.ts';

/** Maximum number of repetitions of JSON.parse, fewer if they exceed the total time; the median is used. */
const PARSES = 7;
const MAX_PARSING_MS = 200;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const meter = new StallMeter();

const COMMANDS: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown>>> = {
  '/parse': async (request) => ({ ms: parseTime((await buffer(request)).toString()) }),
  '/begin': async () => meter.reset(),
  '/end': async () => {
    await meter.idle();
    return { ms: meter.maxMs, ownMs: meter.maxOwnMs };
  },
  '/held': async () => {
    await meter.idle();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return { bytes: heapUsed + external };
  },
};

function parseTime(text: string): number {
  const times: number[] = [];
  const end = performance.now() + MAX_PARSING_MS;
  while (times.length === 0 || (times.length < PARSES && performance.now() < end)) {
    times.push(timeOf(() => parse(text)));
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

function parse(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    // For invalid JSON, measures the time until the error.
  }
}

const server = createServer((request, response) => {
  const command = COMMANDS[request.url ?? ''] ?? (() => Promise.reject(new Error('unknown command')));
  command(request).then(
    (answer) => response.end(JSON.stringify(answer ?? {})),
    (error: Error) => response.writeHead(500).end(error.message),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Stall probe at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
server.unref();
await import('../../standalone/main.ts');
