import { snippet } from '@codemirror/autocomplete';
import { ViewPlugin, type EditorView } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import { fitted } from './fitted-snippet.ts';

/** Editors of texts with bindings. The last one that had the focus is at the end. */
const editors = new Set<EditorView>();

/** Lets a person insert helpers and snippets into the text. */
export const insertTarget: Extension = ViewPlugin.define(
  (view) => {
    editors.add(view);
    return { destroy: () => void editors.delete(view) };
  },
  {
    eventHandlers: {
      focus: (_event, view) => {
        editors.delete(view);
        editors.add(view);
      },
    },
  },
);

/** Longer tags are not searched. */
const MAX_TAG_LENGTH = 1000;

/**
 * Inserts a snippet of CodeMirror at the cursor of the visible text that had the focus last. Returns false when no text
 * is visible.
 */
export function insertSnippet(template: string): boolean {
  const view = [...editors].findLast(({ dom, state }) => dom.offsetParent !== null && !state.readOnly);
  if (!view) return false;
  const { from, to } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, from - MAX_TAG_LENGTH), from);
  snippet(fitted(template, before))(view, null, from, to);
  view.focus();
  return true;
}
