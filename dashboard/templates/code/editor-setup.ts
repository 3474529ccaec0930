import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, type Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { editor as messages } from '../../messages/template-editor.ts';
import { cspNonce } from './csp-nonce.ts';
import { syntaxColours } from './syntax-colours.ts';

/** Setup shared by all text editors. */
export function editorSetup(): Extension {
  return [
    cspNonce(),
    // It can be focused without this, but screen readers and axe may not know.
    EditorView.contentAttributes.of({ tabindex: '0' }),
    history(),
    drawSelection(),
    dropCursor(),
    EditorState.allowMultipleSelections.of(true),
    syntaxColours,
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    EditorView.lineWrapping,
    plainTyping,
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
  ];
}

/** Additional setup for multi-line editors. Tab indents. */
export const longTextSetup: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  // Every font has these characters.
  foldGutter({ openText: '−', closedText: '+' }),
  lintGutter(),
  indentOnInput(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  EditorState.phrases.of(messages.find),
  keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
];

const doNothing = () => true;

/** Keeps the text on one line: Enter does nothing, and line breaks in inserted text become spaces. */
export const singleLine: Extension = [
  EditorView.contentAttributes.of({ 'aria-multiline': 'false' }),
  Prec.high(keymap.of([{ key: 'Enter', run: doNothing, shift: doNothing }])),
  EditorState.transactionFilter.of((transaction) => {
    const { newDoc } = transaction;
    if (newDoc.lines === 1) return transaction;
    const breaks = Array.from({ length: newDoc.lines - 1 }, (_, index) => newDoc.line(index + 1).to);
    const changes = breaks.map((from) => ({ from, to: from + 1, insert: ' ' }));
    return [transaction, { changes, sequential: true }];
  }),
];

/** Chromium takes over 100 ms to insert a character into a line of this length. */
const LONG_LINE = 10_000;

/**
 * Handles typing instead of the browser: in a long line, where the browser is slow, and over a selection, where it
 * would copy the replaced text's style into a style attribute, which the page's policy blocks and reports.
 */
const plainTyping: Extension = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { main, ranges } = view.state.selection;
    if (inputType !== 'insertText' || !data || view.composing || ranges.length > 1) return false;
    if (main.empty && view.state.doc.lineAt(main.head).length < LONG_LINE) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});
