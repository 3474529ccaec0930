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
    ['{{#if (gt a b)}}x{{/if}}', 1, 'unknown helper "gt"'],
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
