import type { Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import { editor as messages } from '../../messages/template-editor.ts';
import { argumentsText, findHelper, type Helper } from './helpers.ts';

/** Longer tags are not explained: the search would be slow. */
const MAX_TAG_LENGTH = 1000;

/** Explains the helper under the mouse pointer. */
export const handlebarsHover: Extension = hoverTooltip(helperAt, { hideOnChange: true });

function helperAt({ state }: EditorView, position: number): Tooltip | null {
  const word = state.wordAt(position);
  if (!word) return null;
  const before = state.sliceDoc(Math.max(0, word.from - MAX_TAG_LENGTH), word.from);
  const isCall = /(?:\{\{~?[#/]?|\{\{\{|\(|\belse\s+)$/.test(before);
  const isInTag = before.lastIndexOf('{{') > before.lastIndexOf('}}');
  const helper = isCall && isInTag ? findHelper(state.sliceDoc(word.from, word.to)) : undefined;
  return helper
    ? { pos: word.from, end: word.to, above: true, create: () => ({ dom: explanation(helper) }) }
    : null;
}

function explanation(helper: Helper): HTMLElement {
  const { name, summary, example, shows } = helper;
  const dom = document.createElement('div');
  dom.className = 'cm-helper';
  dom.append(
    element('code', `${name} ${argumentsText(helper)}`),
    element('p', summary),
    element('code', example),
    ...(shows === undefined ? [] : [element('p', messages.shows(shows))]),
  );
  return dom;
}

function element(name: 'code' | 'p', text: string): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}
