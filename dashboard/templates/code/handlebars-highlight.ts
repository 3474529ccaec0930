import type { Extension } from '@codemirror/state';
import { Decoration, MatchDecorator, ViewPlugin } from '@codemirror/view';

const BINDING = Decoration.mark({ class: 'cm-binding' });
const BLOCK = Decoration.mark({ class: 'cm-binding cm-binding-block' });
const COMMENT = Decoration.mark({ class: 'cm-binding cm-binding-comment' });

const decorator = new MatchDecorator({
  regexp: /\{\{!--.*?--\}\}|\{\{\{.*?\}\}\}|\{\{.*?\}\}/g,
  decoration: ([found]) => {
    if (found.startsWith('{{!')) return COMMENT;
    return /^\{\{~?(?:[#/^>]|else\b)/.test(found) ? BLOCK : BINDING;
  },
});

/** Highlights Handlebars bindings, blocks and comments that begin and end on the same line. */
export const handlebarsHighlight: Extension = ViewPlugin.define(
  (view) => ({
    decorations: decorator.createDeco(view),
    update(update) {
      this.decorations = decorator.updateDeco(update, this.decorations);
    },
  }),
  { decorations: ({ decorations }) => decorations },
);
