import type { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Signal } from '@preact/signals';
import { createContext } from 'preact';
import type { TextRange } from './text-position.ts';

/** A part of a text that the person wants to see. */
export interface WantedPlace {
  /** JSON Pointer of the text in the request of a preview. */
  readonly path: string;
  readonly rangeIn: (doc: Text) => TextRange;
}

/** Where the person wants to go; the editor of the text selects it. */
export const Wanted = createContext<Signal<WantedPlace | undefined> | undefined>(undefined);

/** Selects the places in one text that the person wants. Returns a function that stops it. */
export function selectWanted(
  view: EditorView,
  path: string,
  wanted: Signal<WantedPlace | undefined>,
): () => void {
  return wanted.subscribe((place) => {
    // The editor may have to become visible first.
    if (place?.path === path) requestAnimationFrame(() => select(view, wanted));
  });
}

function select(view: EditorView, wanted: Signal<WantedPlace | undefined>): void {
  const place = wanted.peek();
  if (!place) return;
  wanted.value = undefined;
  const { from, to } = place.rangeIn(view.state.doc);
  if (to > view.state.doc.length) return;
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
  view.focus();
}
