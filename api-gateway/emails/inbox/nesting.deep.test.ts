import { expect, it } from 'vitest';
import { inboxHtml } from './inbox-html.ts';
import { prepareInliner } from './rule-matcher.ts';

const nested = (depth: number) => `${'<div>'.repeat(depth)}x${'</div>'.repeat(depth)}`;

/** This test is in a separate file because it leaves the process's inliner unusable. */
it('rejects HTML nested too deeply for the inliner and reports the depth and the limit', async () => {
  await prepareInliner();
  expect(inboxHtml(nested(1390), '').html).toContain('x');
  expect(() => inboxHtml(nested(1600), '')).toThrow(
    'the HTML is nested too deeply, with 1600 levels of elements; at most 1400 are allowed',
  );
});
