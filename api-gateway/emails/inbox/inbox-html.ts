import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { Parser } from 'htmlparser2';
import {
  editHtml,
  escapedText,
  inlinableHtml,
  inlinerFailure,
  LEFT_ALONE_NAME,
  withoutMarks,
  type HtmlEdit,
} from './inlinable-html.ts';

/** Errors that WebAssembly throws when its memory or stack is full, or on an internal error. */
const TRAPS: ReadonlySet<string> = new Set(['RuntimeError', 'RangeError']);

/**
 * Whether the inliner exceeded its limits and cannot be used again in this process. Also true for a result that is too
 * long for a string.
 */
export function isInlinerTrap(error: unknown): boolean {
  const { name, code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return TRAPS.has(name ?? '') || code === 'ERR_STRING_TOO_LONG';
}

let prepared: Promise<void> | undefined;

/**
 * Initializes the inliner in this process; further calls do nothing. The inliner is WebAssembly and has no access to
 * files or the network.
 */
export async function prepareInliner(): Promise<void> {
  const file = new URL(import.meta.resolve('@css-inline/css-inline-wasm/index_bg.wasm'));
  await (prepared ??= initWasm({ module_or_path: readFileSync(file) }));
}

/**
 * Moves css from style elements into style attributes, which inboxes support, and puts the preview text into the body.
 * Css that cannot be inlined (media queries, fonts, `:hover`, nested rules) stays in style elements; those with
 * at-rules come last, because they must win. Elements for specific media stay unchanged. Throws MergeFailure.
 */
export function inboxHtml(html: string, preheader: string): string {
  return withPreheader(inlineCss(html), preheader);
}

/** As the inliner writes it. */
const DOCTYPE = '<!DOCTYPE html>';

function inlineCss(html: string): string {
  const { html: inlinable, doctype, depth } = inlinableHtml(html);
  try {
    const inlined = inline(inlinable, {
      keepStyleTags: true,
      removeInlinedSelectors: true,
      keepAtRules: true,
      loadRemoteStylesheets: false,
    });
    return doctype === undefined ? inlined : inlined.replace(DOCTYPE, () => doctype);
  } catch (error) {
    if (isInlinerTrap(error)) throw inlinerFailure(depth, error);
    throw new MergeFailure('merge_failed', 'the CSS could not be inlined: it is not valid');
  }
}

/** Hidden in every way that some inbox supports; css of the email cannot override them. */
const HIDDEN =
  'display:none!important;visibility:hidden;opacity:0;max-height:0;max-width:0;overflow:hidden;' +
  'font-size:1px;line-height:1px;mso-hide:all';

/**
 * Post-processes the result of the inliner, which it parses up to the body. At-rules, which come first in the head,
 * move to its end. Empty style elements are removed. The body begins with the preview text, which inboxes show next to
 * the subject.
 */
function withPreheader(html: string, preheader: string): string {
  const edits: HtmlEdit[] = [];
  let head = -1;
  let style = { start: 0, css: 0, isLeftAlone: false };
  let atRules = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      const { startIndex: start, endIndex } = parser;
      if (name === 'head') head = endIndex + 1;
      if (name === 'style') {
        style = { start, css: endIndex + 1, isLeftAlone: LEFT_ALONE_NAME in attributes };
      }
      if (name !== 'body') return;
      parser.pause();
      if (preheader === '') return;
      const text = `<div style="${HIDDEN}">${escapedText(preheader)}</div>`;
      edits.push({ start: endIndex + 1, end: endIndex + 1, text });
    },
    onclosetag(name) {
      const { startIndex, endIndex } = parser;
      if (name === 'head') edits.push({ start: startIndex, end: startIndex, text: atRules });
      if (name !== 'style') return;
      const css = html.slice(style.css, startIndex);
      const isFirst = style.start === head && !style.isLeftAlone && css.startsWith('@');
      if (isFirst) atRules = `<style>${css.trim()}</style>`;
      if (isFirst || css === '') edits.push({ start: style.start, end: endIndex + 1, text: '' });
    },
  });
  parser.write(html);
  return withoutMarks(editHtml(html, edits));
}
