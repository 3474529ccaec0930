import { describe, expect, it } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { cursorAfter, positionOf } from './page.ts';

const position = { createdAt: 1_795_264_496_123, id: 'tpl-01m7yzmhg0e6sv0kjdwjw9tcrr' };

describe('A cursor', () => {
  it('opens to its sealed position', () => {
    expect(positionOf('list', cursorAfter('list', position))).toEqual(position);
  });

  it('does not open for another list', () => {
    const cursor = cursorAfter('list', position);
    expect(() => positionOf('another', cursor)).toThrow(ApiError);
  });

  it('does not open when a character is changed, added or removed', () => {
    const cursor = cursorAfter('list', position);
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      expect(() => positionOf('list', cursor.slice(0, at) + other + cursor.slice(at + 1))).toThrow(ApiError);
      expect(() => positionOf('list', cursor.slice(0, at))).toThrow(ApiError);
    }
    for (const end of ['=', 'A', ' ', '\n']) expect(() => positionOf('list', cursor + end)).toThrow(ApiError);
  });
});
