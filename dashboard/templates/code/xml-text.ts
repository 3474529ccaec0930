import { htmlLanguage } from '@codemirror/lang-html';
import { foldGutter, foldKeymap } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { editor as messages } from '../../messages/template-editor.ts';
import { cspNonce } from './csp-nonce.ts';
import { syntaxColours } from './syntax-colours.ts';

/** Text that the user can read and search, but not change. */
export interface ShownText {
  readonly replace: (text: string) => void;
  readonly close: () => void;
}

/** Shows XML with line numbers and highlighting. Long lines scroll: the indentation shows the structure. */
export function showXml(parent: HTMLElement, label: string): ShownText {
  const view = new EditorView({
    parent,
    extensions: [
      cspNonce(),
      // Its elements have prefixes, so none of them is an HTML element.
      htmlLanguage,
      syntaxColours,
      lineNumbers(),
      // Every font has these characters.
      foldGutter({ openText: '−', closedText: '+' }),
      keymap.of([...searchKeymap, ...foldKeymap]),
      EditorState.phrases.of(messages.find),
      EditorState.readOnly.of(true),
      EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
    ],
  });
  return {
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    close: () => view.destroy(),
  };
}
