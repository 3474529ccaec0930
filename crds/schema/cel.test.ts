import { immutableMembers } from '@trifold/crds';
import { describe, expect, test } from 'vitest';

describe('immutableMembers', () => {
  const rule = immutableMembers('a');

  test.each([
    ['an equal value', { a: { x: [1, { y: 2 }] } }, { a: { x: [1, { y: 2 }] } }, true],
    ['members in another order', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, true],
    ['items in another order', { a: [1, 2] }, { a: [2, 1] }, false],
    ['an object replaced by a list', { a: { 0: 1 } }, { a: [1] }, false],
    ['a removed member', { a: { x: 1 } }, { a: { x: 1, y: 2 } }, false],
    ['an added member', { a: { x: 1, y: 2 } }, { a: { x: 1 } }, false],
    ['another member of the same size', { a: { x: 1 } }, { a: { y: 1 } }, false],
    ['another type', { a: '1' }, { a: 1 }, false],
    ['an added value', { a: 1 }, {}, false],
    ['a removed value', {}, { a: 1 }, false],
    ['an absent value', {}, {}, true],
    ['a change of another member', { a: 1, b: 1 }, { a: 1, b: 2 }, true],
  ])('compares %s', (_what, self, oldSelf, holds) => {
    expect(rule.holds(self, oldSelf)).toBe(holds);
  });

  test('compares with the old object and does not apply to a creation', () => {
    expect(rule.transition).toBe(true);
  });
});
