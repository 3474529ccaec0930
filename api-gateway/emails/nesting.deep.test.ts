import { expect, it } from 'vitest';
import { inlineCss, prepareInliner } from './inbox-html.ts';

const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;

/** In a file of its own: afterwards the inliner of this process is unusable. */
it('html that nests too deep for the inliner is refused with the limit', async () => {
  await prepareInliner();
  expect(inlineCss(nested(1390))).toContain('x');
  expect(() => inlineCss(nested(1600))).toThrow(
    'the html nests too deep, 1600 elements inside each other; up to 1400 can be',
  );
});
