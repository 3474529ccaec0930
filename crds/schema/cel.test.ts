import { exactlyOneOf, immutableMembers, onlyWhen, requiredWhen } from '@trifold/crds';
import { describe, expect, test } from 'vitest';

describe('exactlyOneOf', () => {
  const rule = exactlyOneOf('a', 'b');

  test.each([
    [{ a: 1 }, true],
    [{ b: null }, true],
    [{ a: 1, b: 2 }, false],
    [{ c: 1 }, false],
    [{ a: undefined, b: 1 }, true],
  ])('accepts %j: %s', (self, holds) => {
    expect(rule.holds(self, {})).toBe(holds);
  });

  test('produces the matching CEL rule', () => {
    expect(rule.rule).toBe('(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1');
  });
});

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

describe('onlyWhen', () => {
  const rule = onlyWhen('size', 'custom', ['width', 'height']);

  test.each([
    [{ size: 'custom', width: '1in', height: '1in' }, true],
    [{ size: 'custom' }, true],
    [{ size: 'a4', width: '1in' }, false],
    [{ height: '1in' }, false],
    [{ size: 'a4' }, true],
    [{}, true],
  ])('allows %j: %s', (self, holds) => {
    expect(rule.holds(self, {})).toBe(holds);
  });
});

describe('requiredWhen', () => {
  const rule = requiredWhen('size', 'custom', ['width', 'height']);

  test.each([
    [{ size: 'custom', width: '1in', height: '1in' }, true],
    [{ size: 'custom', width: '1in' }, false],
    [{ size: 'custom' }, false],
    [{ size: 'a4' }, true],
    [{}, true],
  ])('holds for %j: %s', (self, holds) => {
    expect(rule.holds(self, {})).toBe(holds);
  });
});
