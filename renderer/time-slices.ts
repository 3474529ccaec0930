import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** Maximum time, in milliseconds, for which one piece of work blocks the thread. */
const SLICE_MS = 10;

/** Work on a document of arbitrary size. It yields wherever it may be interrupted, for example after each page. */
export type SlicedWork<T> = Generator<void, T, void>;

/** Collects values that are slow to produce. */
export function* collect<T>(values: Iterable<T>): SlicedWork<T[]> {
  const collected: T[] = [];
  for (const value of values) {
    collected.push(value);
    yield;
  }
  return collected;
}

/** Number of base64 characters (four for three bytes) decoded at a time. */
const DECODED_AT_A_TIME = 2 ** 20;

/** Decodes base64 without white space. */
export function* decodeBase64(text: string): SlicedWork<Buffer> {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text, 'base64'));
  for (let start = 0, at = 0; start < text.length; start += DECODED_AT_A_TIME) {
    at += bytes.write(text.slice(start, start + DECODED_AT_A_TIME), at, 'base64');
    yield;
  }
  return bytes;
}

/** Number of UTF-16 units of a string encoded at a time. */
const ENCODED_AT_A_TIME = 2 ** 16;

/** Splits a string into slices. Both halves of a surrogate pair are in the same slice. */
export function* textSlices(text: string): Generator<string, void, void> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + ENCODED_AT_A_TIME;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
  }
}

/** False for NaN, the code past the end of a string. */
function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Encodes strings as UTF-8 and concatenates them. */
export function* encodeUtf8(...texts: readonly string[]): SlicedWork<Buffer> {
  const bytes = Buffer.allocUnsafe(texts.reduce((length, text) => length + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    for (const slice of textSlices(text)) {
      yield;
      at += bytes.write(slice, at);
    }
  }
  return bytes;
}

/** Number of bytes hashed at a time. */
const HASHED_AT_A_TIME = 2 ** 20;

/** Returns the SHA-256 hash of bytes in hexadecimal. */
export function* sha256(bytes: Buffer): SlicedWork<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += HASHED_AT_A_TIME) {
    hash.update(bytes.subarray(start, start + HASHED_AT_A_TIME));
    yield;
  }
  return hash.digest('hex');
}

/**
 * Runs work to completion, letting other events run after each 10 ms slice. Shorter work runs without interruption.
 * Rejects with the work's errors. `now` returns milliseconds.
 */
export async function runInSlices<T>(work: SlicedWork<T>, now = () => performance.now()): Promise<T> {
  for (;;) {
    const step = runSlice(work, now);
    if (step.done) return step.value;
    await setImmediate();
  }
}

/**
 * Runs work on each value in order, letting other events run after every 10 ms: work that only waits for finished work
 * blocks the thread.
 */
export async function forEachInSlices<T>(
  values: Iterable<T>,
  work: (value: T) => Promise<void>,
  now = () => performance.now(),
): Promise<void> {
  let until = now() + SLICE_MS;
  for (const value of values) {
    await work(value);
    if (now() < until) continue;
    await setImmediate();
    until = now() + SLICE_MS;
  }
}

function runSlice<T>(work: SlicedWork<T>, now: () => number): IteratorResult<void, T> {
  const until = now() + SLICE_MS;
  let step = work.next();
  while (!step.done && now() < until) step = work.next();
  return step;
}
