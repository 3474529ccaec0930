import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/merging/merge-failure.ts';
import { escapeHtml, htmlTokens } from './html-tokens.ts';

/** The inliner took more than it may, and cannot be used again in this process. */
export class InlinerTrapped extends MergeFailure {
  constructor() {
    super(
      'merge_failed',
      'the css could not be inlined: the html nests too deep, or it has too much css for its elements',
    );
  }
}

/** What WebAssembly throws when it cannot go on: its memory or its stack is full, or it met its own mistake. */
const TRAPS: ReadonlySet<string> = new Set(['RuntimeError', 'RangeError']);

/** Makes the inliner usable in this process. It is WebAssembly: it reaches neither files nor the network. */
export async function prepareInliner(): Promise<void> {
  const file = new URL(import.meta.resolve('@css-inline/css-inline-wasm/index_bg.wasm'));
  await initWasm({ module_or_path: readFileSync(file) });
}

/**
 * Moves css from style elements into style attributes, where inboxes heed it. What cannot go there (media queries,
 * fonts, `:hover`) is left in style elements; those with at-rules come last, as they are meant to win. The answer is
 * what a parser would write. Throws MergeFailure.
 */
export function inlineCss(html: string): string {
  try {
    return withRulesInOrder(
      inline(html, {
        keepStyleTags: true,
        removeInlinedSelectors: true,
        keepAtRules: true,
        loadRemoteStylesheets: false,
      }),
    );
  } catch (error) {
    if (TRAPS.has((error as Error).name)) throw new InlinerTrapped();
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

function withRulesInOrder(html: string): string {
  let start = 0;
  for (const token of htmlTokens(html)) {
    if (token.kind === 'open' && token.name === 'head') start = token.end;
    if (token.kind !== 'close' || token.name !== 'head') continue;
    const head = html.slice(start, token.start);
    const rules = AT_RULES_FIRST.exec(head);
    const others = head.slice(rules?.[0].length ?? 0).replaceAll('<style></style>', '');
    const last = rules ? `<style>${rules[1]?.trim()}</style>` : '';
    return `${html.slice(0, start)}${others}${last}${html.slice(token.start)}`;
  }
  return html;
}
