import { describe, expect, it } from 'vitest';
import { nestingOf } from './nesting.ts';

const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;

describe('how deep html nests', () => {
  it.each([
    ['', 0],
    ['a<br><img src="x">b', 0],
    ['<p>a</p><p>b</p>', 1],
    ['<ul><li>a<li>b<li><b>c</b></ul><p>d<p>e', 3],
    ['<!-- <div><div> --><div a=">">x</i></div>', 1],
    [nested(2000), 2000],
  ])('is counted: %#', (html, depth) => {
    expect(nestingOf(html)).toBe(depth);
  });
});
