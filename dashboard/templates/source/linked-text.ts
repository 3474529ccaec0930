import type { Extension } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import { isLinkKey, type SourceLink } from './source-link.ts';

/** Links the text editor of a template with the pages of its preview. */
export function linkedText(link: SourceLink): Extension {
  return [
    EditorView.updateListener.of(({ state }) => void (link.cursor.value = state.selection.main.head)),
    EditorView.domEventHandlers({
      keydown: (event) => {
        if (!isLinkKey(event)) return false;
        link.reveal();
        return true;
      },
    }),
    ViewPlugin.define((view) => ({ destroy: link.wanted.subscribe(() => goToWanted(view, link)) })),
  ];
}

function goToWanted(view: EditorView, link: SourceLink): void {
  // The editor may have to become visible first.
  requestAnimationFrame(() => {
    const { value } = link.wanted;
    const { length } = view.state.doc;
    if (!value || value.to > length) return;
    link.wanted.value = undefined;
    view.dispatch({
      selection: { anchor: value.from, head: value.to },
      effects: EditorView.scrollIntoView(value.from, { y: 'center' }),
    });
    view.focus();
  });
}
