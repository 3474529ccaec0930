import { snippet } from '@codemirror/autocomplete';
import { ViewPlugin, type EditorView } from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import { fitted, withCaret } from './fitted-snippet.ts';

/** Editors of strings with bindings, the most recently focused one last. */
const editors = new Set<EditorView>();

/** Lets the user insert helpers and snippets into the text. */
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

/** Inserts a CodeMirror snippet at the cursor of the last focused visible editor. Returns false if none is visible. */
export function insertSnippet(template: string): boolean {
  const view = [...editors].findLast(({ dom, state }) => dom.offsetParent !== null && !state.readOnly);
  if (!view) return false;
  const { from, to } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, from - MAX_TAG_LENGTH), from);
  snippet(withCaret(fitted(template, before)))(view, null, from, to);
  view.focus();
  return true;
}
