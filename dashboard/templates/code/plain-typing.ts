import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Replaces a selection by typed text without the browser, which would copy the style of the replaced text into a style
 * attribute. The policy of the page blocks and reports those.
 */
export const plainTyping: Extension = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data }, view) => {
    const { main, ranges } = view.state.selection;
    if (inputType !== 'insertText' || !data || view.composing || main.empty || ranges.length > 1)
      return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, data, insert))) view.dispatch(insert());
    return true;
  },
});
