import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { escapeHtml, htmlTokens } from './html-tokens.ts';
import { inlinableHtml, withoutMarks } from './inlinable-html.ts';
import { nestingOf } from './nesting.ts';

/** The inliner took more than it may, and cannot be used again in this process. */
export class InlinerTrapped extends MergeFailure {
  constructor(html: string) {
    const depth = nestingOf(html);
    const reason =
      depth > DEEPEST_NESTING
        ? `the html nests too deep, ${depth} elements inside each other; up to ${DEEPEST_NESTING} can be`
        : 'it has too much css for its elements';
    super('merge_failed', `the css could not be inlined: ${reason}`);
  }
}

/** Elements inside each other that the inliner manages for sure; a few more fill its stack. */
const DEEPEST_NESTING = 1400;

/** What WebAssembly throws when it cannot go on: its memory or its stack is full, or it met its own mistake. */
const TRAPS: ReadonlySet<string> = new Set(['RuntimeError', 'RangeError']);

/** Its answer may be too long for a string, too. */
function isTrap({ name, code }: NodeJS.ErrnoException): boolean {
  return TRAPS.has(name) || code === 'ERR_STRING_TOO_LONG';
}

let prepared: Promise<void> | undefined;

/**
 * Makes the inliner usable in this process; further calls do nothing. It is WebAssembly: it reaches neither files nor
 * the network.
 */
export async function prepareInliner(): Promise<void> {
  const file = new URL(import.meta.resolve('@css-inline/css-inline-wasm/index_bg.wasm'));
  await (prepared ??= initWasm({ module_or_path: readFileSync(file) }));
}

/**
 * Moves css from style elements into style attributes, where inboxes heed it. What cannot go there (media queries,
 * fonts, `:hover`, rules in rules) is left in style elements; those with at-rules come last, as they are meant to win.
 * Elements for some media only are left as they are. The answer is what a parser would write. Throws MergeFailure.
 */
export function inlineCss(html: string): string {
  try {
    const inlined = inline(inlinableHtml(html), {
      keepStyleTags: true,
      removeInlinedSelectors: true,
      keepAtRules: true,
      loadRemoteStylesheets: false,
    });
    return withoutMarks(withRulesInOrder(inlined));
  } catch (error) {
    if (isTrap(error as NodeJS.ErrnoException)) throw new InlinerTrapped(html);
    throw new MergeFailure('merge_failed', 'the css could not be inlined: it is not valid');
  }
}

/** Hidden by each of the ways that some inbox heeds; no css of the letter has a say in it. */
const HIDDEN =
  'display:none!important;visibility:hidden;opacity:0;max-height:0;max-width:0;overflow:hidden;' +
  'font-size:1px;line-height:1px;mso-hide:all';

/** Puts the preview text at the head of the body: inboxes show it beside the subject, the letter does not. */
export function insertPreheader(html: string, preheader: string): string {
  if (preheader === '') return html;
  let at = 0;
  for (const { kind, name, end } of htmlTokens(html)) {
    if (kind !== 'open' || name !== 'body') continue;
    at = end;
    break;
  }
  return `${html.slice(0, at)}<div style="${HIDDEN}">${escapeHtml(preheader)}</div>${html.slice(at)}`;
}

/** The inliner puts all at-rules first and leaves emptied elements behind. */
const AT_RULES_FIRST = /^<style>(@[^]*?)<\/style>/;
const EMPTIED = /<style(?:\s[^<>]*)?><\/style>/g;

function withRulesInOrder(html: string): string {
  let start = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind === 'open' && token.name === 'head') start = token.end;
    if (token.kind !== 'close' || token.name !== 'head') continue;
    const head = html.slice(start, token.start);
    const rules = AT_RULES_FIRST.exec(head);
    const others = head.slice(rules?.[0].length ?? 0).replaceAll(EMPTIED, '');
    const last = rules ? `<style>${rules[1]?.trim()}</style>` : '';
    return `${html.slice(0, start)}${others}${last}${withoutEmptied(html.slice(token.start))}`;
  }
  return html;
}

/** Leaves comments as they are: Outlook reads some. */
function withoutEmptied(html: string): string {
  if (!html.includes('></style>')) return html;
  return html.replaceAll(/<!--[^]*?-->|<style(?:\s[^<>]*)?><\/style>/g, (piece) =>
    piece.startsWith('<!--') ? piece : '',
  );
}
