import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { CursorSealer } from './cursor.ts';

const sealer = new CursorSealer(Buffer.alloc(32, 1));
const position = { createdAt: 1_795_264_496_123, id: 'tpl-01m7yzmhg0e6sv0kjdwjw9tcrr' };

describe('A cursor', () => {
  it('opens to its sealed position', () => {
    expect(sealer.open('list', sealer.seal('list', position))).toEqual(position);
  });

  it('does not open for another list or with another key', () => {
    const cursor = sealer.seal('list', position);
    expect(() => sealer.open('another', cursor)).toThrow(ApiError);
    expect(() => new CursorSealer(Buffer.alloc(32, 2)).open('list', cursor)).toThrow(ApiError);
  });

  it('does not open when a character is changed, added or removed', () => {
    const cursor = sealer.seal('list', position);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(() => sealer.open('list', cursor.slice(0, at) + other + cursor.slice(at + 1))).toThrow(ApiError);
      expect(() => sealer.open('list', cursor.slice(0, at))).toThrow(ApiError);
    }
    for (const end of ['=', 'A', ' ', '\n'])
      expect(() => sealer.open('list', cursor + end)).toThrow(ApiError);
  });
});
