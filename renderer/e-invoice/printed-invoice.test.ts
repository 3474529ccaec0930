import type { RenderOptions } from '@trifold/crds';
import { expect, it } from 'vitest';
import { RendererFixture } from '../testing/renderer-fixture.ts';

const fixture = RendererFixture.forSuite({ browsers: 1 });

const declared = {
  'BT-1': 'R-42',
  'BT-2': '2026-11-28',
  'BT-5': 'EUR',
  'BT-110': '190.00',
  'BT-115': '1190.00',
};
const options = { locale: 'de-DE' };
const header: RenderOptions = { header: { enabled: true, content: 'Rechnung R-42', height: '1in' } };

/** Returns the terms that the warnings of a preview name. */
async function warnedTerms(html: string, given: RenderOptions = {}): Promise<string[]> {
  const outcome = await fixture.renderer.previews.render(
    {
      id: 'req-1',
      account: 'acme',
      format: 'pdf',
      template: { displayName: 'Invoice', html },
      data: Buffer.from('{}'),
      declared,
      options: { ...options, ...given },
      createdAt: '2026-11-28T01:02:03.456Z',
      deadlineMs: 30_000,
    },
    new AbortController().signal,
  );
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.warnings.map(({ code, part, name }) => `${code} ${part} ${name.split(' ')[0]}`);
}

const rest = '<p>R-42<p>28.11.2026<p>190,00 €';

it.each<[string, string, RenderOptions?]>([
  ['in cells', '<table><tr><td>1<td>R-42<td>28.11.2026<tr><td>190,00<td>1.190,00</table>'],
  ['in several elements', `${rest}<p><b>1.190</b><sup>,00</sup>`],
  ['in a drawing', `${rest}<svg><text y="20">1.190,00</text></svg>`],
  ['only in print', `<style>b{display:none}@media print{b{display:inline}}</style>${rest}<p><b>1.190,00</b>`],
  ['in a header', '<p>28.11.2026<p>190,00 €<p>1.190,00 €', header],
  ['with named images', `<img name="body"><form><input name="innerText"></form>${rest}<p>1.190,00`],
])('Values %s are found', async (_where, html, given) => {
  expect(await warnedTerms(html, given)).toEqual([]);
});

it.each<[string, string]>([
  ['in hidden elements', `${rest}<p hidden>1.190,00<p style="visibility:hidden">1.190,00`],
  [
    'in comments, styles and attributes',
    `${rest}<!-- 1.190,00 --><style>/* 1.190,00 */</style><p title="1.190,00">`,
  ],
  ['in several cells', `${rest}<table><tr><td>1<td>190,00</table>`],
])('Values %s are not found', async (_where, html) => {
  expect(await warnedTerms(html)).toEqual(['invoice_differs e_invoice BT-115']);
});

it('A large document is not searched', async () => {
  expect(await warnedTerms(`<p>${'x '.repeat(600_000)}`)).toEqual([]);
});
