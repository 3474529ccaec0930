import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { readZip } from '@trifold/test-support/files/zip.ts';
import { zipStream, type ZipEntry } from './zip-stream.ts';

const MODIFIED = new Date('2026-11-21T12:00:00.000Z');

const entry = (name: string, bytes: Buffer, source = () => Readable.from([bytes])): ZipEntry => ({
  name,
  size: bytes.length,
  open: async () => source(),
});

/** Fails after its first piece. */
function breaking(): Readable {
  return Readable.from(
    (function* () {
      yield Buffer.alloc(10);
      throw new Error('the store went away');
    })(),
  );
}

describe('zipStream', () => {
  it('contains every file unchanged with its name and time and has the announced size', async () => {
    const files = [Buffer.from('one'), Buffer.alloc(200_000, 7), Buffer.alloc(0)];
    const { body, size } = zipStream(
      files.map((bytes, index) => entry(`${index}.pdf`, bytes)),
      MODIFIED,
    );
    const archive = await buffer(body);
    expect(archive.length).toBe(size);
    const told = files.map((bytes, index) => ({
      name: `${index}.pdf`,
      bytes,
      stored: true,
      modified: MODIFIED,
    }));
    expect(readZip(archive)).toEqual(told);
  });

  it('accepts a file of unknown size, but then the archive size is unknown', async () => {
    const { body, size } = zipStream([{ ...entry('a', Buffer.from('abc')), size: undefined }], MODIFIED);
    expect(size).toBeUndefined();
    expect(readZip(await buffer(body))[0]?.bytes.toString()).toBe('abc');
  });

  it('opens a file after the previous one was read and respects backpressure', async () => {
    let given = 0;
    const endless = () =>
      new Readable({
        read() {
          given += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });
    const opened: string[] = [];
    const { body } = zipStream(
      ['first', 'second'].map((name) => ({
        name,
        size: undefined,
        async open() {
          opened.push(name);
          return endless();
        },
      })),
      MODIFIED,
    );
    await eventually(() => given > 0);
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(given).toBeLessThan(2_000_000);
    expect(opened).toEqual(['first']);
    body.destroy();
  });

  it('closes the current file when the reader stops', async () => {
    const source = new Readable({
      read() {
        this.push(Buffer.alloc(1000));
      },
    });
    const { body } = zipStream([{ name: 'a', size: undefined, open: async () => source }], MODIFIED);
    await eventually(() => body.readableLength > 0 && source.readableDidRead);
    body.destroy();
    await eventually(() => source.destroyed);
  });

  it('adds no listeners for each additional file', async () => {
    const files = Array.from({ length: 30 }, (_, index) => entry(`${index}.pdf`, Buffer.from('x')));
    const { body } = zipStream(files, MODIFIED);
    let most = 0;
    body.on('data', () => (most = Math.max(most, body.listenerCount('close'))));
    await finished(body);
    // Node warns of a leak from the eleventh listener on.
    expect(most).toBeLessThan(10);
  });

  it('opens no file if the stream is destroyed at once', async () => {
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
    ['cannot be opened', () => Promise.reject(new Error('gone'))],
    ['breaks in the middle', async () => breaking()],
    ['is shorter than announced', async () => Readable.from([Buffer.alloc(10)])],
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
});
