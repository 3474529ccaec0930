import type { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Signal } from '@preact/signals';
import { createContext } from 'preact';
import type { TextRange } from './text-position.ts';

/** A range of text to show to the user. */
export interface RevealTarget {
  /** JSON Pointer to the text in the preview request. */
  readonly path: string;
  readonly rangeIn: (doc: Text) => TextRange;
}

/** The range that the user wants to see; the editor of that text selects it. */
export const RevealTargetContext = createContext<Signal<RevealTarget | undefined> | undefined>(undefined);

/** Selects the requested ranges in one text. Returns a function that stops this. */
export function reveal(
  view: EditorView,
  path: string,
  revealTarget: Signal<RevealTarget | undefined>,
): () => void {
  return revealTarget.subscribe((place) => {
    // The editor may have to become visible first.
    if (place?.path === path) requestAnimationFrame(() => select(view, revealTarget));
  });
}

function select(view: EditorView, revealTarget: Signal<RevealTarget | undefined>): void {
  const place = revealTarget.peek();
  if (!place) return;
  revealTarget.value = undefined;
  const { from, to } = place.rangeIn(view.state.doc);
  if (to > view.state.doc.length) return;
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
  view.focus();
}
