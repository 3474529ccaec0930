import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

const MODIFIED = new Date('2026-11-21T12:00:00.000Z');

const entry = (name: string, bytes: Buffer, source = () => Readable.from([bytes])): ZipEntry => ({
  name,
  size: bytes.length,
  open: async () => source(),
});

it('accepts a file of unknown size, which makes the archive size unknown', async () => {
  const { body, size } = zipStream([{ ...entry('a', Buffer.from('abc')), size: undefined }], MODIFIED);
  expect(size).toBeUndefined();
  expect(readZip(await buffer(body))[0]?.bytes.toString()).toBe('abc');
});

it('does not add listeners for each additional file', async () => {
  const files = Array.from({ length: 30 }, (_, index) => entry(`${index}.pdf`, Buffer.from('x')));
  const { body } = zipStream(files, MODIFIED);
  let most = 0;
  body.on('data', () => (most = Math.max(most, body.listenerCount('close'))));
  await finished(body);
  // Node warns about a leak starting with the eleventh listener.
  expect(most).toBeLessThan(10);
});

it('does not open files if the stream is destroyed immediately', async () => {
  let opened = 0;
  const open = async () => {
    opened += 1;
    return Readable.from([]);
  };
  const { body, size } = zipStream([{ name: 'a', size: 12, open }], MODIFIED);
  body.destroy();
  await new Promise((resolve) => setImmediate(resolve));
  expect([opened, size]).toEqual([0, expect.any(Number)]);
});

it.each([
  ['is longer than announced', async () => Readable.from([Buffer.alloc(30)])],
  [
    'closes without an error',
    async () => {
      const source = new Readable({ read: () => undefined });
      source.push(Buffer.alloc(10));
      setImmediate(() => source.destroy());
      return source;
    },
  ],
])('fails if a file %s', async (_what, open: () => Promise<Readable>) => {
  const whole = entry('whole.pdf', Buffer.from('whole'));
  const { body } = zipStream([whole, { name: 'broken.pdf', size: 20, open }, whole], MODIFIED);
  await expect(buffer(body)).rejects.toThrow(/./);
});
