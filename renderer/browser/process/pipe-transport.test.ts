import { PassThrough, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { CDPSession } from 'puppeteer-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { launchTestBrowser, sharedBrowser } from '../../testing/browser/test-browser.ts';
import { isGone } from '../page/print-error.ts';
import type { Browser } from './browser.ts';
import { PipeTransport } from './pipe-transport.ts';

function receive(
  chunks: readonly Buffer[],
  limit = 1000,
): { messages: string[]; transport: PipeTransport; arrive: (chunk: Buffer) => void } {
  const input = new PassThrough();
  const messages: string[] = [];
  const onmessage = (message: string) => void messages.push(message);
  const transport = Object.assign(new PipeTransport(new PassThrough(), input, limit), { onmessage });
  const arrive = (chunk: Buffer) => void input.emit('data', chunk);
  for (const chunk of chunks) arrive(chunk);
  return { messages, transport, arrive };
}

describe('browser messages', () => {
  const TEXTS = ['{"a":"ü€🦄"}', '', '{}', '🦄🦄'];
  const bytes = Buffer.from(TEXTS.map((text) => `${text}\0`).join(''));

  it.each([1, 2, 3, 5, 7, 100])('are the same when they arrive in chunks of %i bytes', (size) => {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    expect(receive(chunks).messages).toEqual(TEXTS);
  });

  it('close the transport when one exceeds the limit', () => {
    const { messages, transport } = receive(
      [Buffer.from('{}\0'), Buffer.alloc(6, 'x'), Buffer.alloc(5, 'x')],
      10,
    );
    expect(messages).toEqual(['{}']);
    expect(transport.overflowed).toBe(true);
  });
});

/** Returns a transport and its output. The pipe accepts everything immediately, or only the first part. */
function writing({ stalled = false } = {}) {
  const written: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk);
      if (!stalled) done();
    },
  });
  const transport = new PipeTransport(output, new PassThrough(), 1000);
  const messageOf = (html: string, id: number) =>
    JSON.stringify({ method: 'Page.setDocumentContent', params: { frameId: 'F', html }, id, sessionId: 'S' });
  return {
    transport,
    output,
    messageOf,
    send: (html: string, id: number) =>
      transport.withText(html, (text) => transport.send(messageOf(text, id))),
    written,
    text: () => Buffer.concat(written).toString(),
    /** Resolves when that many messages are written. */
    messages: async (count: number) => {
      const ended = () => written.reduce((sum, chunk) => sum + chunk.filter((byte) => byte === 0).length, 0);
      await eventually(() => ended() >= count, { intervalMs: 1 });
      return Buffer.concat(written);
    },
  };
}

describe('a long string in a message', () => {
  /** Several slices of 2 ** 16 UTF-16 units. */
  const LENGTH = 300_000;
  const filled = (unit: string, before = '') => before + unit.repeat(LENGTH / unit.length);

  it.each([
    ['letters', filled('a')],
    ['quotes and backslashes', filled('"\\')],
    ['control characters', filled('\u0000\u0001\n\u007f')],
    ['letters of two bytes', filled('ü€')],
    ['surrogate pairs', filled('🦄')],
    ['surrogate pairs across the slices', filled('🦄', 'a')],
    ['high surrogates', filled('\ud800')],
    ['low surrogates', filled('\udc00')],
    ['high surrogates before pairs', filled('\ud800🦄')],
    ['high surrogates before pairs, one unit later', filled('\ud800🦄', 'a')],
    ['a high surrogate at the end', `${filled('a')}\ud800`],
  ])('has the same JSON as JSON.stringify: %s', async (_, html) => {
    const { send, messageOf, messages } = writing();
    send(html, 1);
    // Does not use toEqual, whose diff would take minutes.
    expect((await messages(1)).equals(Buffer.from(`${messageOf(html, 1)}\0`))).toBe(true);
  });

  it('stays in order with the other messages', async () => {
    const { send, transport, messages } = writing();
    const long = filled('a');
    transport.send('{"id":1}');
    send(long, 2);
    transport.send('{"id":3}');
    send('short', 4);
    send(long, 5);
    transport.send('{"id":6}');
    const sent = (await messages(6)).toString().split('\0').slice(0, -1);
    expect(sent.map((message) => (JSON.parse(message) as { id: number }).id)).toEqual([1, 2, 3, 4, 5, 6]);
    transport.send('{"id":7}');
    expect((await messages(7)).toString()).toMatch(/\{"id":6\}\0\{"id":7\}\0$/);
  });

  it('lets other events run during the write', async () => {
    const { send, messages, written } = writing();
    send(filled('a'), 1);
    const atFirst = written.length;
    await messages(1);
    expect(atFirst).toBe(1);
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(2 ** 16);
  });

  it('waits for the pipe', async () => {
    const { send, output } = writing({ stalled: true });
    send(filled('a'), 1);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(output.writableLength).toBeLessThanOrEqual(2 ** 17);
  });

  it('stops when the transport closes', async () => {
    const { send, transport, written } = writing();
    send(filled('a'), 1);
    transport.send('{"id":2}');
    const atClose = written.length;
    transport.close();
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
    expect(written.length).toBe(atClose);
  });

  it('is discarded if the message that contains it is not sent', () => {
    const { transport, text } = writing();
    const fail = () => {
      throw new Error('the session is closed');
    };
    expect(() => transport.withText(filled('a'), fail)).toThrow('the session is closed');
    const forget = () => transport.send('{}');
    expect(() => transport.withText(filled('a'), forget)).toThrow('exactly once');
    expect(text()).toBe('');
    transport.send('{}');
    expect(text()).toBe('{}\0');
  });
});

/** A promise that is never resolved by any document. */
const NEVER = 'new Promise((resolve) => { globalThis.kept = resolve; })';

interface OpenPage {
  readonly targetId: string;
  readonly session: CDPSession;
}

async function openPage({ connection }: Browser): Promise<OpenPage> {
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const { targetInfo } = await connection.send('Target.getTargetInfo', { targetId });
  return { targetId, session: await connection.createSession(targetInfo) };
}

const evaluate = async (session: CDPSession, expression: string) =>
  session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });

describe('a raw response', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('is not parsed in this thread', async () => {
    const { session } = await openPage(browser);
    const parse = vi.spyOn(JSON, 'parse');
    const pieces = await browser.transport.receiveRaw(() => evaluate(session, '"\\"".repeat(300_000)'));
    const longest = Math.max(...parse.mock.calls.map(([json]) => json.length));
    parse.mockRestore();
    expect(Buffer.concat(pieces).length).toBeGreaterThan(600_000);
    expect(longest).toBeLessThan(1000);
  });

  it.each([1, 2, 3, 20, 41, 1000])('is complete when it arrives in chunks of %i bytes', async (size) => {
    const { messages, transport, arrive } = receive([]);
    const response = Promise.withResolvers<void>();
    const raw = transport.receiveRaw(() => {
      transport.send('{"id":7,"sessionId":"s","method":"A.b"}');
      return response.promise;
    });
    const others = ['{"id":6,"result":{}}', '{"method":"A.event","params":{"long":"ü€🦄ü€🦄ü€🦄ü€🦄ü€🦄"}}'];
    const own = '{"id":7,"result":{"text":"ü€🦄ü€🦄ü€🦄ü€🦄ü€🦄"},"sessionId":"s"}';
    const bytes = Buffer.from([...others, own, ...others].map((text) => `${text}\0`).join(''));
    for (let at = 0; at < bytes.length; at += size) arrive(bytes.subarray(at, at + size));
    response.resolve();
    expect(Buffer.concat(await raw).toString()).toBe(own);
    expect(messages).toEqual([...others, '{"id":7,"result":{},"sessionId":"s"}', ...others]);
  });

  it('is an error if the browser rejects the command', async () => {
    const { session } = await openPage(browser);
    const missing = browser.transport.receiveRaw(() => session.send('DOM.describeNode', { nodeId: 99 }));
    await expect(missing).rejects.toThrow('Could not find node');
  });

  it('is an error if the command is not sent', async () => {
    await expect(browser.transport.receiveRaw(async () => undefined)).rejects.toThrow('was not sent');
  });

  it('fails when the page closes', async () => {
    const { targetId, session } = await openPage(browser);
    const answer = browser.transport
      .receiveRaw(() => evaluate(session, NEVER))
      .catch((error: unknown) => error);
    await browser.connection.send('Target.closeTarget', { targetId });
    expect(isGone(await answer)).toBe(true);
  });

  it('fails when the browser exits', async () => {
    const own = await launchTestBrowser();
    const { session } = await openPage(own);
    const answer = own.transport.receiveRaw(() => evaluate(session, NEVER)).catch((error: unknown) => error);
    await own.stop();
    expect(isGone(await answer)).toBe(true);
  });
});
