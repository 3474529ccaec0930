import { expect, it } from 'vitest';
import { markedTemplate, readMarks } from './marked-template.ts';
import { foldTexts, SourceMap } from './source-map.ts';

/** A template whose bindings print the values. A loop with two iterations repeats its body. */
function mapOf(html: string, values: Readonly<Record<string, readonly string[]>>): SourceMap {
  const marked = markedTemplate(html);
  const rounds = [0, 1].map((round) =>
    marked.replaceAll(/\{\{\w\}\}/g, (binding) => values[binding]?.[round] ?? binding),
  );
  return new SourceMap(readMarks(html, rounds.join('')));
}

it('marks only the text and the bindings in a template', () => {
  const html =
    '<title>No {{no}}</title><style>p{}</style><p class="{{c}}">{{!-- no --}}Dear {{name}} &amp; {{#if a}}co{{else}}{{{raw}}}{{/if}}</p>';
  const texts = readMarks(html, markedTemplate(html)).map(({ text }) => text);
  expect(texts).toEqual(['Dear', '{{name}}', '&amp;', 'co', '{{{raw}}}']);
});

it('uses the surrounding words to locate words that are printed often', () => {
  const html = '<p>Total {{a}} net</p><p>Total {{b}} gross</p>';
  const map = mapOf(html, { '{{a}}': ['10.00', '12.00'], '{{b}}': ['10.00', '14.00'] });
  const text = 'TOTAL  10.00 gross unknown Total 12.00 n et';
  const fold = (each: string) => foldTexts([each], String);
  const page = fold(text);
  const at = (word: string) => {
    const source = map.sourcesOf(page)[fold(text.slice(0, text.indexOf(word))).chars.length];
    return source && [source.from, html.slice(source.from, source.to)];
  };
  expect(at('TOTAL')).toEqual([html.lastIndexOf('Total'), 'Total']);
  expect(at('10.00')).toEqual([html.indexOf('{{b}}'), '{{b}}']);
  expect(at('unknown')).toBeUndefined();
  expect(at('Total')).toEqual([html.indexOf('Total'), 'Total']);
  expect(at('12.00')).toEqual([html.indexOf('{{a}}'), '{{a}}']);
  expect(map.madeBy(page, html.indexOf('{{a}}'))).toEqual([{ from: 27, to: 32 }]);
});
