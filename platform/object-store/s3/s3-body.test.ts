import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { S3Body } from './s3-body.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const PATIENCE_MS = 1000;

/** A response of a store, piece by piece. */
class Answer extends PassThrough {
  complete = false;

  finish(): void {
    this.complete = true;
    this.end();
  }
}

describe('S3 object body', () => {
  let answer: Answer;
  const bodyOf = (size: number) => {
    const options = { what: 'get a/b', size, patienceMs: PATIENCE_MS };
    return new S3Body(answer as unknown as IncomingMessage, options);
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    answer = new Answer();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('fails when the store is too slow, even if it sends some data', async () => {
    const body = bodyOf(10_000);
    const outcome = expect(buffer(body)).rejects.toMatchObject({
      name: 'ObjectStoreError',
      code: 'unavailable',
      retryable: true,
      message: expect.stringContaining('get a/b: the store stopped sending'),
    });
    for (let piece = 0; piece < 10; piece += 1) {
      answer.write('x');
      await vi.advanceTimersByTimeAsync(PATIENCE_MS / 9);
    }
    await outcome;
    expect(answer.destroyed).toBe(true);
  });

  it('does not fail while the reader pauses', async () => {
    const content = Buffer.alloc(200_000, 'x');
    const body = bodyOf(content.length);
    const pieces = body[Symbol.asyncIterator]();
    answer.write(content.subarray(0, 100_000));
    const received = [(await pieces.next()).value as Buffer];
    await vi.advanceTimersByTimeAsync(PATIENCE_MS / 2);
    // The rest arrives, and stays unread for an hour.
    answer.write(content.subarray(100_000));
    answer.finish();
    await eventually(() => expect(body.readableLength).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(body.errored).toBeNull();
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      received.push(next.value as Buffer);
    }
    expect(Buffer.concat(received).equals(content)).toBe(true);
  });

  it.each([
    ['fewer', 11, '1 bytes are missing at the end'],
    ['more', 9, 'more came than was announced'],
  ])('fails when %s bytes arrive than announced', async (_, size, reason) => {
    const body = bodyOf(size);
    answer.write('0123456789');
    answer.finish();
    await expect(buffer(body)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(reason),
    });
  });

  it('fails when the connection closes early', async () => {
    const body = bodyOf(10);
    answer.write('01234');
    answer.destroy();
    await expect(buffer(body)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('cut'),
    });
  });

  it('keeps a failure until a reader attaches', async () => {
    const body = bodyOf(10);
    const told = vi.fn();
    body.on('error', told);
    answer.destroy(new Error('reset'));
    await eventually(() => expect(answer.closed).toBe(true));
    expect(told).not.toHaveBeenCalled();
    await expect(buffer(body)).rejects.toMatchObject({ code: 'unavailable', cause: { message: 'reset' } });
  });

  it('closes the connection when it is destroyed before it is read', () => {
    bodyOf(10).destroy();
    expect(answer.destroyed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer at its end', async () => {
    const body = bodyOf(5);
    answer.write('01234');
    answer.finish();
    expect((await buffer(body)).toString()).toBe('01234');
    expect(vi.getTimerCount()).toBe(0);
  });
});
