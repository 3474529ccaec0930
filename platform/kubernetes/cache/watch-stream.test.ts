import { describe, expect, it } from 'vitest';
import type { Thing } from '../testing/model-api.ts';
import { WatchDecodeError, WatchDecoder, type WatchEvent } from './watch-stream.ts';

const added = {
  type: 'ADDED',
  object: { metadata: { name: 'a', resourceVersion: '7' }, spec: { text: 'ü€😀 \u2028 "quoted" \\n' } },
};
const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } };
const error = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } };
const stream = Buffer.from([added, bookmark, error].map((event) => `${JSON.stringify(event)}\n`).join(''));

async function decode(...pieces: (Uint8Array | string)[]): Promise<WatchEvent<Thing>[]> {
  const decoder = new WatchDecoder<Thing>();
  const events: WatchEvent<Thing>[] = [];
  for (const piece of pieces) events.push(...(await eventsOf(decoder, Buffer.from(piece))));
  return events;
}

async function eventsOf(decoder: WatchDecoder<Thing>, piece: Uint8Array): Promise<WatchEvent<Thing>[]> {
  const events: WatchEvent<Thing>[] = [];
  for await (const event of decoder.push(piece)) events.push(event);
  return events;
}

describe('WatchDecoder', () => {
  it('decodes events from chunks split at any byte, even inside a character', async () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      expect(await decode(stream.subarray(0, cut), stream.subarray(cut))).toEqual([added, bookmark, error]);
    }
  });

  it('returns an event as soon as its newline arrives', async () => {
    const decoder = new WatchDecoder<Thing>();
    const events = decoder.push(Buffer.from(`${JSON.stringify(added)}\n<html>\n`));
    expect(await events.next()).toMatchObject({ value: added });
    await expect(events.next()).rejects.toThrow(WatchDecodeError);
  });

  it('ignores a line without a newline', async () => {
    expect(await decode(JSON.stringify(added))).toEqual([]);
  });

  it('skips blank lines, including lines with only a carriage return', async () => {
    expect(await decode(`\n\r\n${JSON.stringify(bookmark)}\r\n\n`)).toEqual([bookmark]);
  });

  it.each([
    ['an HTML page', '<html><body>502 Bad Gateway</body></html>\n'],
    ['JSON that is not an object', '"hello"\n'],
    ['null', 'null\n'],
    ['an unknown type', '{"type":"RENAMED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}\n'],
    ['a type that is an inherited property name', '{"type":"constructor","object":{}}\n'],
    ['an event without an object', '{"type":"ADDED"}\n'],
    ['a null object', '{"type":"ADDED","object":null}\n'],
    ['an object without a version', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n'],
    ['an object without a name', '{"type":"DELETED","object":{"metadata":{"resourceVersion":"1"}}}\n'],
    ['a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{}}}\n'],
  ])('rejects %s', async (_, line) => {
    await expect(decode(line)).rejects.toThrow(WatchDecodeError);
  });

  it('rejects a line over the limit without waiting for its end', async () => {
    const decoder = new WatchDecoder<Thing>(1000);
    expect(await eventsOf(decoder, Buffer.alloc(600, 'x'))).toEqual([]);
    await expect(eventsOf(decoder, Buffer.alloc(600, 'x'))).rejects.toThrow(/longer than 1000 bytes/);
  });

  it('applies the limit to each line separately', async () => {
    const line = `${JSON.stringify(bookmark)}\n`;
    const decoder = new WatchDecoder<Thing>(line.length);
    expect(await eventsOf(decoder, Buffer.from(line.repeat(50)))).toHaveLength(50);
  });

  it('does not quote input that it cannot parse', async () => {
    try {
      await decode('{"secret": my-secret-data}\n');
      expect.unreachable();
    } catch (failure) {
      const { message, cause } = failure as Error;
      expect(`${message} ${(cause as Error).message}`).not.toContain('my-secret');
    }
  });
});
