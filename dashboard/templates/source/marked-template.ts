import { htmlLanguage } from '@codemirror/lang-html';
import { IterMode } from '@lezer/common';
import type { TextRange } from '../code/text-position.ts';

/** Characters that Unicode reserves for programs: no text has them. */
const [BEGIN, OF, END] = ['\uFDD0', '\uFDD1', '\uFDD2'] as const;
/** A marked text: its begin and end in the template, and what it prints. */
export const MARKED = /\uFDD0(\d+),(\d+)\uFDD1([^\uFDD0-\uFDD2]*)\uFDD2/g;

/** The bounds keep the search linear. */
const EXPRESSION = /\{\{!--[\s\S]{0,2000}?--\}\}|\{\{\{[\s\S]{0,500}?\}\}\}|\{\{[\s\S]{0,500}?\}\}/g;
/** Expressions that print nothing themselves. */
const SILENT = /^\{\{~?\s*(?:[#/^>!]|else\b)/;

const TEXTS = ['Text', 'EntityReference', 'CharacterReference'];

/** Returns the template with marks around each text and each binding that prints one. */
export function markedTemplate(html: string): string {
  const pieces = findTexts(html);
  let marked = '';
  let done = 0;
  for (const { from, to } of pieces) {
    marked += `${html.slice(done, from)}${BEGIN}${from},${to}${OF}${html.slice(from, to)}${END}`;
    done = to;
  }
  return marked + html.slice(done);
}

function findTexts(html: string): TextRange[] {
  const expressions = Array.from(html.matchAll(EXPRESSION), ({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
  const found: TextRange[] = [];
  let next = 0;
  for (const text of textNodes(html)) {
    let { from } = text;
    while ((expressions[next]?.to ?? Infinity) <= from) next += 1;
    for (const expression of within(expressions, next, text.to)) {
      found.push({ from, to: expression.from });
      const isOwn = expression.from >= text.from;
      if (isOwn && !SILENT.test(html.slice(expression.from, expression.to))) found.push(expression);
      from = expression.to;
    }
    found.push({ from, to: text.to });
  }
  return found.filter(({ from, to }) => html.slice(from, to).trim() !== '');
}

/** Yields the ranges from an index on that begin before an end. */
function* within(ranges: readonly TextRange[], first: number, end: number): Generator<TextRange> {
  for (let index = first; index < ranges.length; index += 1) {
    const range = ranges[index];
    if (!range || range.from >= end) return;
    yield range;
  }
}

/** Texts of the HTML that a page may show. */
function textNodes(html: string): TextRange[] {
  const found: TextRange[] = [];
  htmlLanguage.parser.parse(html).iterate({
    mode: IterMode.IgnoreMounts,
    enter: ({ name, from, to, node }) => {
      const tag = name === 'Element' && node.firstChild?.getChild('TagName');
      if (tag && html.slice(tag.from, tag.to).toLowerCase() === 'title') return false;
      if (TEXTS.includes(name)) found.push({ from, to });
      return undefined;
    },
  });
  return found;
}
