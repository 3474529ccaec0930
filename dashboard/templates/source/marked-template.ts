import { htmlLanguage } from '@codemirror/lang-html';
import { IterMode } from '@lezer/common';
import type { TextRange } from '../code/text-position.ts';
import type { RenderedText } from './source-map.ts';

/** Characters that Unicode reserves for internal use: they do not occur in text. */
const [BEGIN, OF, END] = ['\uFDD0', '\uFDD1', '\uFDD2'] as const;
/** A marked text: its start and end in the template, and its output. */
const MARKED = /\uFDD0(\d+),(\d+)\uFDD1([^\uFDD0-\uFDD2]*)\uFDD2/g;

/** The bounds keep the search linear. */
const EXPRESSION = /\{\{!--[\s\S]{0,2000}?--\}\}|\{\{\{[\s\S]{0,500}?\}\}\}|\{\{[\s\S]{0,500}?\}\}/g;
/** Expressions that print nothing themselves. */
const SILENT = /^\{\{~?\s*(?:[#/^>!]|else\b)/;
/** A binding in a masked template, or the text between its expressions. */
const PIECE = /\uFDD0\uFDD1*|[^\uFDD0-\uFDD2]+/g;

const TEXTS = ['Text', 'EntityReference', 'CharacterReference'];

/** Returns the template with marks around each text and each binding that prints text. */
export function markedTemplate(html: string): string {
  let marked = '';
  let done = 0;
  for (const { from, to } of findTexts(html)) {
    marked += `${html.slice(done, from)}${BEGIN}${from},${to}${OF}${html.slice(from, to)}${END}`;
    done = to;
  }
  return marked + html.slice(done);
}

/** Strings and bindings that a page may show. */
function findTexts(html: string): TextRange[] {
  // The content of an expression is not HTML.
  const masked = html.replaceAll(EXPRESSION, (found) =>
    SILENT.test(found) ? END.repeat(found.length) : BEGIN + OF.repeat(found.length - 1),
  );
  const found: TextRange[] = [];
  htmlLanguage.parser.parse(masked).iterate({
    mode: IterMode.IgnoreMounts,
    enter: ({ name, from, to, node }) => {
      const tag = name === 'Element' && node.firstChild?.getChild('TagName');
      if (tag && masked.slice(tag.from, tag.to).toLowerCase() === 'title') return false;
      if (!TEXTS.includes(name)) return undefined;
      for (const { 0: text, index } of masked.slice(from, to).matchAll(PIECE))
        if (text.trim() !== '') found.push({ from: from + index, to: from + index + text.length });
      return undefined;
    },
  });
  return found;
}

/**
 * Returns the words and bindings that a marked, rendered template printed, in order, from its text without tags. A loop
 * repeats the ones in its body.
 */
export function readMarks(html: string, rendered: string): RenderedText[] {
  return Array.from(rendered.matchAll(MARKED)).flatMap(([, first, last, text = '']) => {
    const [from, to] = [Number(first), Number(last)];
    // Each word of the template's own text has its own position; all output of a binding shares one.
    if (html.slice(from, to) !== text) return { from, to, text };
    return Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({
      from: from + index,
      to: from + index + word.length,
      text: word,
    }));
  });
}
