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

function decode(...pieces: (Uint8Array | string)[]): WatchEvent<Thing>[] {
  const decoder = new WatchDecoder<Thing>();
  return pieces.flatMap((piece) => [...decoder.push(Buffer.from(piece))]);
}

describe('WatchDecoder', () => {
  it('decodes events from chunks split at any byte, even inside a character', () => {
    for (let cut = 0; cut <= stream.length; cut += 1) {
      expect(decode(stream.subarray(0, cut), stream.subarray(cut))).toEqual([added, bookmark, error]);
    }
  });

  it('decodes events that arrive byte by byte', () => {
    expect(decode(...Array.from(stream, (byte) => Uint8Array.of(byte)))).toEqual([added, bookmark, error]);
  });

  it('returns an event as soon as its newline arrives', () => {
    const decoder = new WatchDecoder<Thing>();
    const events = decoder.push(Buffer.from(`${JSON.stringify(added)}\n<html>\n`));
    expect(events.next().value).toEqual(added);
    expect(() => events.next()).toThrow(WatchDecodeError);
  });

  it('ignores a line without a newline', () => {
    expect(decode(JSON.stringify(added))).toEqual([]);
  });

  it('skips blank lines, including lines with only a carriage return', () => {
    expect(decode(`\n\r\n${JSON.stringify(bookmark)}\r\n\n`)).toEqual([bookmark]);
  });

  it.each([
    ['a proxy page', '<html><body>502 Bad Gateway</body></html>\n'],
    ['a JSON text that is no object', '"hello"\n'],
    ['null', 'null\n'],
    ['an unknown type', '{"type":"RENAMED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}\n'],
    ['a type that every object has a member of', '{"type":"constructor","object":{}}\n'],
    ['no object', '{"type":"ADDED"}\n'],
    ['an object of null', '{"type":"ADDED","object":null}\n'],
    ['an object without a version', '{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n'],
    ['an object without a name', '{"type":"DELETED","object":{"metadata":{"resourceVersion":"1"}}}\n'],
    ['a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{}}}\n'],
  ])('rejects %s', (_, line) => {
    expect(() => decode(line)).toThrow(WatchDecodeError);
  });

  it('rejects a line over the limit without waiting for its end', () => {
    const decoder = new WatchDecoder<Thing>(1000);
    expect([...decoder.push(Buffer.alloc(600, 'x'))]).toEqual([]);
    expect(() => [...decoder.push(Buffer.alloc(600, 'x'))]).toThrow(/longer than 1000 bytes/);
  });

  it('applies the limit to each line separately', () => {
    const line = `${JSON.stringify(bookmark)}\n`;
    const decoder = new WatchDecoder<Thing>(line.length);
    expect([...decoder.push(Buffer.from(line.repeat(50)))]).toHaveLength(50);
  });

  it('does not quote input that it cannot parse', () => {
    try {
      decode('{"secret": my-secret-data}\n');
      expect.unreachable();
    } catch (failure) {
      const { message, cause } = failure as Error;
      expect(`${message} ${(cause as Error).message}`).not.toContain('my-secret');
    }
  });
});
