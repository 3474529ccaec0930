import { expect, it } from 'vitest';
import { foldText } from './folded-text.ts';
import { MARKED, markedTemplate } from './marked-template.ts';
import { SourceMap } from './source-map.ts';

/** A template without entities, whose bindings print the values. A loop of two rounds repeats its body. */
function mapOf(html: string, values: Readonly<Record<string, readonly string[]>>): SourceMap {
  const marked = Array.from(markedTemplate(html).matchAll(MARKED));
  const pieces = (round: number) =>
    marked.map(([, from, to, text = '']) => ({
      from: Number(from),
      to: Number(to),
      text: values[text]?.[round] ?? text,
      isLiteral: !text.startsWith('{{'),
    }));
  return new SourceMap([...pieces(0), ...pieces(1)]);
}

it('marks the texts and the bindings of a template, and nothing else', () => {
  const html =
    '<title>No {{no}}</title><style>p{}</style><p class="{{c}}">{{!-- no --}}Dear {{name}} &amp; {{#if a}}co{{else}}{{{raw}}}{{/if}}</p>';
  const marked = Array.from(markedTemplate(html).matchAll(MARKED), ([, , , text]) => text);
  expect(marked).toEqual(['Dear ', '{{name}}', '&amp;', 'co', '{{{raw}}}']);
});

it('knows the place of words that are printed often by the words around them', () => {
  const html = '<p>Total {{a}} net</p><p>Total {{b}} gross</p>';
  const map = mapOf(html, { '{{a}}': ['10.00', '12.00'], '{{b}}': ['10.00', '14.00'] });
  const text = 'TOTAL  10.00 gross unknown Total 12.00 n et';
  const page = map.pageSource(foldText(text));
  const at = (word: string) => {
    const { from, to } = page.sourceOf(foldText(text.slice(0, text.indexOf(word))).chars.length) ?? {
      from: 0,
      to: 0,
    };
    return [from, html.slice(from, to)];
  };
  expect(at('TOTAL')).toEqual([html.lastIndexOf('Total'), 'Total']);
  expect(at('10.00')).toEqual([html.indexOf('{{b}}'), '{{b}}']);
  expect(at('unknown')).toEqual([0, '']);
  expect(at('Total')).toEqual([html.indexOf('Total'), 'Total']);
  expect(at('12.00')).toEqual([html.indexOf('{{a}}'), '{{a}}']);
  expect(page.madeBy(html.indexOf('{{a}}'))).toEqual([{ from: 27, to: 32 }]);
});
