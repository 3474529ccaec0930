import { createHash } from 'node:crypto';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConnectionError, GenerationFailedError, TimeoutError } from '../index.ts';
import { json, scriptedServer, silence, type Reply } from '../testing/scripted-server.ts';
import { filenameIn } from './download.ts';

const REASON = new Error('enough');

const BYTES = Buffer.alloc(3_000_000, 'trifold ');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const file: Reply = (response) => {
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': BYTES.length,
    'content-disposition': 'attachment; filename="a.pdf"',
  });
  response.end(BYTES);
};
const half: Reply = (response) => {
  response.writeHead(200, { 'content-length': BYTES.length });
  response.write(BYTES.subarray(0, 1_000_000), () => response.socket?.destroy());
};
const chunkedHalf: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/zip' });
  response.write(BYTES.subarray(0, 1_000_000), () => response.socket?.destroy());
};

describe('Download', () => {
  it('describes the file and returns its bytes', async () => {
    const { client } = await scriptedServer([file]);
    const download = await client.documents.download('gen-1');
    expect(download).toMatchObject({ filename: 'a.pdf', contentType: 'application/pdf', size: BYTES.length });
    expect(sha256(await download.bytes())).toBe(sha256(BYTES));
  });

  it('pipes into a Node stream with backpressure', async () => {
    const { client } = await scriptedServer([file]);
    const hash = createHash('sha256');
    const slow = new Writable({
      highWaterMark: 1000,
      write(piece: Buffer, _encoding, done) {
        hash.update(piece);
        setImmediate(done);
      },
    });
    expect(await client.documents.downloadTo('gen-1', slow)).toMatchObject({ size: BYTES.length });
    expect(slow.writableFinished).toBe(true);
    expect(hash.digest('hex')).toBe(sha256(BYTES));
  });

  it('pipes into a web stream', async () => {
    const { client } = await scriptedServer([file]);
    const hash = createHash('sha256');
    await client.documents.downloadTo(
      'gen-1',
      new WritableStream({ write: (piece) => void hash.update(piece) }),
    );
    expect(hash.digest('hex')).toBe(sha256(BYTES));
  });

  it.each([
    ['with a Content-Length', half],
    ['without a Content-Length', chunkedHalf],
  ])('rejects with a ConnectionError if the file is incomplete: %s', async (_what, reply) => {
    const { client } = await scriptedServer([reply]);
    await expect((await client.documents.download('gen-1')).bytes()).rejects.toBeInstanceOf(ConnectionError);
    const target = new PassThrough().resume();
    await expect(client.documents.downloadTo('gen-1', target)).rejects.toBeInstanceOf(ConnectionError);
    expect(target.destroyed).toBe(true);
  });

  it("rejects with the target stream's error", async () => {
    const { client } = await scriptedServer([file]);
    const full = new Writable({ write: (_piece, _encoding, done) => done(new Error('disk full')) });
    await expect(client.documents.downloadTo('gen-1', full)).rejects.toThrow('disk full');
  });

  it("rejects with the signal's reason, even in the middle of the file", async () => {
    const stop = new AbortController();
    const endless: Reply = (response) => response.writeHead(200).write('x');
    const { client } = await scriptedServer([endless]);
    const download = await client.documents.download('gen-1', { signal: stop.signal });
    const bytes = download.bytes();
    stop.abort(REASON);
    await expect(bytes).rejects.toBe(REASON);
  });

  it('has no timeout after the response has started', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: ending, resolve } = Promise.withResolvers<() => void>();
    const slow: Reply = (response) => {
      response.writeHead(200).write('a');
      resolve(() => response.end('b'));
    };
    const { client } = await scriptedServer([slow]);
    const download = await client.documents.download('gen-1', { timeoutMs: 10_000 });
    vi.advanceTimersByTime(11_000);
    (await ending)();
    expect(Buffer.from(await download.bytes()).toString()).toBe('ab');
  });
});

describe('documents.pdf', () => {
  const accepted = json(202, { id: 'gen-1', status: 'processing' });
  const request = { template_id: 'tpl-1', data: {} };

  it('polls and downloads the file if the service responds before the document is ready', async () => {
    const processing = json(200, { id: 'gen-1', status: 'processing' });
    const completed = json(200, { id: 'gen-1', status: 'completed' });
    const { client, received } = await scriptedServer([accepted, processing, completed, file]);
    const download = await client.documents.pdf(request);
    expect(sha256(await download.bytes())).toBe(sha256(BYTES));
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /v1/generate',
      'GET /v1/generate/gen-1',
      'GET /v1/generate/gen-1',
      'GET /v1/generate/gen-1/download',
    ]);
  });

  it('applies the given timeout to each request, including polling', async () => {
    const { client, received } = await scriptedServer([accepted, silence]);
    await expect(client.documents.pdf(request, { timeoutMs: 2000 })).rejects.toBeInstanceOf(TimeoutError);
    expect(received).toHaveLength(2);
  });

  it('reports the reason if the document fails during polling', async () => {
    const failed = { id: 'gen-1', status: 'failed', error: { code: 'timeout', message: 'It took 60 s.' } };
    const { client } = await scriptedServer([accepted, json(200, failed)]);
    const error: unknown = await client.documents.pdf(request).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(GenerationFailedError);
    expect(error).toMatchObject({ message: 'It took 60 s.', generation: failed });
  });
});

it.each([
  ['attachment; filename="a.pdf"', 'a.pdf'],
  ['attachment; filename=a.pdf', 'a.pdf'],
  ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
  [`attachment; filename="a.pdf"; filename*=UTF-8''%C5%81%C3%B3d%C5%BA.pdf`, 'Łódź.pdf'],
  [`attachment; filename*=UTF-8''%zz; filename="b.pdf"`, 'b.pdf'],
  [`attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, '.._.._etc_passwd'],
  [`attachment; filename*=UTF-8''C%3Ax.pdf`, 'C_x.pdf'],
  ['attachment; filename="at 12:30.pdf"', 'at 12:30.pdf'],
  ['attachment; filename=..', undefined],
  ['attachment; filename="."', undefined],
  ['attachment; filename=""', undefined],
  ['attachment', undefined],
  [null, undefined],
])('filenameIn for %s returns %s', (header, name) => {
  expect(filenameIn(header)).toBe(name);
});
