import { describe, expect, it } from 'vitest';
import { findSyntaxProblem } from './syntax.ts';

describe('the syntax check of a template', () => {
  it.each([
    '<p>{{name}}</p>',
    '{{#if paid}}yes{{else}}no{{/if}}',
    '{{#each lines}}{{@index}} {{this.total}} {{../currency}}{{/each}}',
    '{{#lines}}{{total}}{{/lines}}{{^lines}}none{{/lines}}',
    '{{lookup prices sku}} {{#with seller}}{{name}}{{/with}}',
    '{{#*inline "row"}}<td>{{total}}</td>{{/inline}}{{> row}}',
    '{{{raw}}} {{!-- a comment --}}',
  ])('finds nothing wrong with %s', (html) => {
    expect(findSyntaxProblem(html)).toBeUndefined();
  });

  it.each([
    ['<p>\n  {{#if x}} a {{/each}}', 2, "if doesn't match each"],
    ['<p>\n<b>{{#each x}}</b>', 2, 'the template ends inside'],
    ['a {{foo bar=}} x', 1, 'unexpected close here'],
    ['{{x.[}}', 1, 'not valid inside'],
    ['one\ntwo {{price total}}', 2, 'unknown helper "price"'],
    ['{{#if (above a b)}}x{{/if}}', 1, 'unknown helper "above"'],
    ['{{log secret}}', 1, 'unknown helper "log"'],
    ['\n\n{{> header}}', 3, 'unknown partial "header"'],
    ['{{* evil}}', 1, 'unknown decorator "evil"'],
  ])('says where and why %s does not compile', (html, line, message) => {
    const problem = findSyntaxProblem(html);
    expect(problem).toMatchObject({ line, message: expect.stringContaining(message) as string });
    expect(problem?.column).toBeGreaterThan(0);
  });

  it('counts columns from 1', () => {
    expect(findSyntaxProblem('one\ntwo {{price total}}')).toMatchObject({ line: 2, column: 5 });
  });

  it('tells each problem from its own template, whatever was checked before', () => {
    findSyntaxProblem('\n\n\n\n{{foo');
    expect(findSyntaxProblem('{{/if}}')).toMatchObject({ line: 1, column: 1 });
  });
});

describe('a template that would take the parser too long', () => {
  it.each([
    ['blocks that nest absurdly', '{{#if a}}'.repeat(50_000), 'blocks nest deeper than 100 levels', 901],
    [
      'closed blocks that nest absurdly',
      `${'{{#a}}'.repeat(101)}${'{{/a}}'.repeat(101)}`,
      'blocks nest',
      601,
    ],
    ['inverse blocks that nest absurdly', `{{^a}}`.repeat(101), 'blocks nest', 601],
    [
      'an endless chain of elses',
      `{{#if a}}${'{{else if b}}'.repeat(50_000)}{{/if}}`,
      'blocks nest',
      undefined,
    ],
    ['parentheses that nest absurdly', `{{a ${'('.repeat(50_000)}`, 'parentheses nest deeper', 55],
    ['an expression of too many words', `{{if ${'a '.repeat(100_001)}}}`, 'more than 100000 words', 200_008],
    ['too long a path', `{{${'../'.repeat(40_000)}a}}`, 'more than 100000 words', 120_004],
    ['an expression that never ends', `{{if ${'a '.repeat(100_001)}`, 'more than 100000 words', 200_008],
    ['too many expressions', '{{a}}'.repeat(20_001), 'more than 20000 expressions', 100_001],
  ])('is refused unparsed: %s', (_what, html, message, column) => {
    const problem = findSyntaxProblem(html);
    expect(problem).toMatchObject({ line: 1, message: expect.stringContaining(message) });
    if (column !== undefined) expect(problem?.column).toBe(column);
  });

  it('is none that only has many blocks one after the other, or parentheses in its text', () => {
    const row = '<td>{{#if a}}(((({{else}}{{^b}}x{{/b}}{{/if}}</td>\n';
    expect(findSyntaxProblem(row.repeat(2000))).toBeUndefined();
    expect(findSyntaxProblem('('.repeat(1000))).toBeUndefined();
  });
});

describe('partials', () => {
  it('take one context at most', () => {
    const html = '{{#*inline "row"}}x{{/inline}}{{> row a b}}';
    expect(findSyntaxProblem(html)).toMatchObject({ message: 'a partial takes one context at most' });
  });
});
