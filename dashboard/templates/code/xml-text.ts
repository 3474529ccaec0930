import { htmlLanguage } from '@codemirror/lang-html';
import { foldGutter } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { editor as messages } from '../../messages/template-editor.ts';
import { editorSetup } from './editor-setup.ts';

/** A text that the user can read and search, but not change. */
export interface ShownText {
  readonly replace: (text: string) => void;
  readonly close: () => void;
}

/** Shows XML with line numbers and highlighting. Its elements have prefixes, so it is also HTML. */
export function showXml(parent: HTMLElement, label: string): ShownText {
  const view = new EditorView({
    parent,
    extensions: [
      editorSetup(),
      htmlLanguage,
      lineNumbers(),
      foldGutter({ openText: '−', closedText: '+' }),
      keymap.of(searchKeymap),
      EditorState.phrases.of(messages.find),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
    ],
  });
  return {
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    close: () => view.destroy(),
  };
}
