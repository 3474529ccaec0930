import { css } from '@codemirror/lang-css';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { cspNonce } from '../code/csp-nonce.ts';
import { foldedDataUris } from '../code/data-uris.ts';
import { handlebarsHighlight } from '../code/handlebars-highlight.ts';
import { syntaxColours } from '../code/syntax-colours.ts';
import type { LabelledText, Part } from './part-texts.ts';

interface DiffOptions {
  readonly before: LabelledText;
  readonly after: LabelledText;
  readonly part: Part;
  /** One column instead of two. */
  readonly isUnified: boolean;
  /** Whether long unchanged sections are folded. */
  readonly collapses: boolean;
  readonly isDark: boolean;
}

/** Limits on the comparison: without them, strings with nothing in common would block the page. */
const DIFF = { scanLimit: 500, timeout: 500 };
const LANGUAGES: Readonly<Record<Part, () => Extension>> = {
  html: () => [html(), handlebarsHighlight],
  css,
  schema: json,
  options: () => [json(), handlebarsHighlight],
  email: () => [json(), handlebarsHighlight],
  e_invoice: () => [json(), handlebarsHighlight],
  settings: json,
};
const COLLAPSE = { margin: 3, minSize: 4 };

/** Shows the differences between two strings. Returns a function that removes the view. */
export function showDiff(parent: HTMLElement, options: DiffOptions): () => void {
  const { before, after, isUnified, collapses } = options;
  const shared = {
    ...(collapses && { collapseUnchanged: COLLAPSE }),
    diffConfig: DIFF,
  };
  if (isUnified) {
    const view = new EditorView({
      parent,
      doc: after.text,
      extensions: [
        extensionsFor(after, options),
        unifiedMergeView({ ...shared, original: before.text, mergeControls: false }),
      ],
    });
    return () => view.destroy();
  }
  const view = new MergeView({
    ...shared,
    parent,
    a: { doc: before.text, extensions: extensionsFor(before, options) },
    b: { doc: after.text, extensions: extensionsFor(after, options) },
  });
  return () => view.destroy();
}

function extensionsFor({ label }: LabelledText, { part, isDark }: DiffOptions): Extension {
  return [
    cspNonce(),
    EditorView.darkTheme.of(isDark),
    EditorView.lineWrapping,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    // The arrow keys scroll it.
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label }),
    lineNumbers(),
    syntaxColours,
    foldedDataUris,
    LANGUAGES[part](),
  ];
}
