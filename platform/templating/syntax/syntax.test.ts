import { describe, expect, it } from 'vitest';
import { findSyntaxProblem } from './syntax.ts';

describe('The template syntax check', () => {
  it.each([
    '<p>{{name}}</p>',
    '{{#if paid}}yes{{else}}no{{/if}}',
    '{{#each lines}}{{@index}} {{this.total}} {{../currency}}{{/each}}',
    '{{#lines}}{{total}}{{/lines}}{{^lines}}none{{/lines}}',
    '{{lookup prices sku}} {{#with seller}}{{name}}{{/with}}',
    '{{#*inline "row"}}<td>{{total}}</td>{{/inline}}{{> row}}',
    '{{{raw}}} {{!-- a comment --}}',
    '{{#if n includeZero=true}}0{{/if}}{{^if a}}x{{/if}}{{#unless a}}x{{else if b}}y{{else with c}}z{{/unless}}',
    '{{#each lines as |line i|}}{{line.total}}{{else}}-{{/each}}{{#with o as |x|}}{{x.y}}{{/with}}',
    '{{#if (lookup a "b")}}x{{/if}}{{this.if}}{{./each}}{{o.with}}',
  ])('accepts %s', (html) => {
    expect(findSyntaxProblem(html)).toBeUndefined();
  });

  it.each([
    ['a {{name | upper}} x', 1, 'a filter (|) is not supported'],
    ['{{else}}', 1, '{{else}} is outside of a block'],
    ['a {{foo bar=}} x', 1, 'unexpected close here'],
    ['{{x.[}}', 1, 'not valid inside'],
    ['{{#if (above a b)}}x{{/if}}', 1, 'unknown helper "above"'],
    ['{{log secret}}', 1, 'unknown helper "log"'],
    ['\n\n{{> header}}', 3, 'unknown partial "header"'],
    ['{{* evil}}', 1, 'unknown decorator "evil"'],
    ['{{if amount}}', 1, 'if is a block helper: write {{#if …}}…{{/if}}'],
    ['{{if}}', 1, 'if is a block helper'],
    ['{{[if]}}', 1, 'if is a block helper'],
    ['\n{{each tags}}', 2, 'each is a block helper'],
    ['{{with o}}', 1, 'with is a block helper'],
    ['{{#eq (unless a) 1}}{{/eq}}', 1, 'unless is a block helper'],
    ['{{lookup tags}}', 1, 'lookup takes 2 arguments, not 1'],
    ['{{lookup a b c}}', 1, 'lookup takes 2 arguments, not 3'],
    ['{{#lookup a b}}{{/lookup}}', 1, 'lookup is not a block helper'],
    ['{{#if a b}}{{/if}}', 1, 'if takes 1 argument, not 2'],
    ['{{^unless}}{{/unless}}', 1, 'unless takes 1 argument, not 0'],
    ['{{#if a}}\n{{else if}}{{/if}}', 2, 'if takes 1 argument, not 0'],
    ['{{#with}}{{/with}}', 1, 'with takes 1 argument, not 0'],
    ['{{#each}}{{/each}}', 1, 'each takes 1 argument, not 0'],
    ['{{#each a sort="x"}}{{/each}}', 1, 'each does not support "sort="'],
    ['{{#if a zero=true}}{{/if}}', 1, 'if does not support "zero="; it supports includeZero'],
    ['{{#if a as |x|}}{{x}}{{/if}}', 1, 'if does not support "as |…|"'],
    ['{{toString a}}', 1, 'unknown helper "toString"'],
    ['{{formatDate}}{{formatDate a b c}}', 1, 'formatDate takes 1 to 2 arguments, not 3'],
    ['{{#if (sum)}}x{{/if}}', 1, 'sum takes 1 to 2 arguments, not 0'],
    ['{{formatDate a lokale="de"}}', 1, '"lokale="; it supports time, locale, timeZone'],
    ['{{add 1 2 by=1}}', 1, 'add does not support "by="'],
    ['{{#formatDate a}}x{{/formatDate}}', 1, 'formatDate is not a block helper'],
    ['a\nb {{!-- no end', 2, 'a comment or raw block is not closed'],
  ])('reports where and why %s does not compile', (html, line, message) => {
    const problem = findSyntaxProblem(html);
    expect(problem).toMatchObject({ line, message: expect.stringContaining(message) as string });
    expect(problem?.column).toBeGreaterThan(0);
  });

  it.each(['a\n b\0', 'a\n{{\0}}', 'a\n {{"\0"}}', 'a\n {{!\0'])(
    'reports the position of U+0000 in %j',
    (html) => {
      expect(findSyntaxProblem(html)).toEqual({
        line: 2,
        column: html.indexOf('\0') - 1,
        message: 'the template contains the character U+0000: remove it',
      });
    },
  );

  it.each([
    ['<p>\n  {{#if x}} a {{/each}}', 2, 3, 'if', '{{#if}} is not closed: add {{/if}} before {{/each}}'],
    ['one\ntwo {{price total}}', 2, 5, 'price', 'unknown helper "price"'],
    ['<p>\n<b>{{#each x}}</b>\n{{a}}', 2, 4, 'each', '{{#each}} is not closed: add {{/each}}'],
    [
      '{{#if a}}\n{{~#order.lines}}{{^b}}{{/b}}\n{{! {{/if}} }}',
      2,
      1,
      'order.lines',
      '{{#order.lines}} is not closed: add {{/order.lines}}',
    ],
    ['{{^if a}}{{else}}\n{{a (b', 2, 1, undefined, 'the expression is not closed: add }}'],
    ['{{#> layout}}\n{{a (b c)}}', 1, 1, 'layout', '{{#layout}} is not closed: add {{/layout}}'],
  ])('reports the position and the name of the problem in %j', (html, line, column, name, message) => {
    expect(findSyntaxProblem(html)).toEqual({ line, column, name, message });
  });

  it('reports the position in the current template, regardless of earlier checks', () => {
    findSyntaxProblem('\n\n\n\n{{foo');
    expect(findSyntaxProblem('{{/if}}')).toMatchObject({ line: 1, column: 1 });
  });
});

describe('Parser limits', () => {
  it.each([
    ['deeply nested blocks', '{{#if a}}'.repeat(50_000), 'blocks are nested deeper than 100 levels', 901],
    ['nested closed blocks', `${'{{#a}}'.repeat(101)}${'{{/a}}'.repeat(101)}`, 'blocks are nested', 601],
    ['deeply nested inverse blocks', `{{^a}}`.repeat(101), 'blocks are nested', 601],
    ['a chain of else', `{{#if a}}${'{{else if b}}'.repeat(50_000)}{{/if}}`, 'blocks are nested', undefined],
    ['deeply nested parentheses', `{{a ${'('.repeat(50_000)}`, 'parentheses are nested deeper', 55],
    ['too many words in an expression', `{{if ${'a '.repeat(100_001)}}}`, 'more than 100000 words', 200_008],
    ['a path that is too long', `{{${'../'.repeat(40_000)}a}}`, 'more than 100000 words', 120_004],
    ['an expression that never ends', `{{if ${'a '.repeat(100_001)}`, 'more than 100000 words', 200_008],
    ['too many expressions', '{{a}}'.repeat(20_001), 'more than 20000 expressions', 100_001],
  ])('reject a template without parsing it: %s', (_what, html, message, column) => {
    const problem = findSyntaxProblem(html);
    expect(problem).toMatchObject({ line: 1, message: expect.stringContaining(message) });
    if (column !== undefined) expect(problem?.column).toBe(column);
  });

  it('allow a template with many comments', () => {
    const html = `${'{{!-- a\n --}}yy'.repeat(19_000)}{{#if a}}`.padEnd(988_000, 'y');
    expect(findSyntaxProblem(html)).toMatchObject({ line: 19_001, column: 8 });
    expect(findSyntaxProblem(`${html}{{/if}}`)).toBeUndefined();
  });

  it('allow many consecutive blocks and parentheses in text', () => {
    const row = '<td>{{#if a}}(((({{else}}{{^b}}x{{/b}}{{/if}}</td>\n';
    expect(findSyntaxProblem(row.repeat(2000))).toBeUndefined();
    expect(findSyntaxProblem('('.repeat(1000))).toBeUndefined();
  });
});

it('Partials accept at most one context', () => {
  const html = '{{#*inline "row"}}x{{/inline}}{{> row a b}}';
  expect(findSyntaxProblem(html)).toMatchObject({ message: 'a partial accepts at most one context' });
});
