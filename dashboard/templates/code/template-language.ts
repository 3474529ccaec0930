import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import type { DataShape } from './data-shape.ts';
import { handlebarsCompletion } from './handlebars-completion.ts';
import { handlebarsHighlight } from './handlebars-highlight.ts';

/** Returns what is known of the data now. */
type GetShape = () => DataShape;

/** HTML with Handlebars. */
export function htmlTemplate(shape: GetShape): Extension {
  return [html(), handlebarsHighlight, handlebarsCompletion(shape)];
}

/** Plain text with Handlebars. */
export function textTemplate(shape: GetShape): Extension {
  return [handlebarsHighlight, handlebarsCompletion(shape)];
}

/** Plain text of one line with Handlebars. */
export function lineTemplate(shape: GetShape): Extension {
  return [handlebarsHighlight, handlebarsCompletion(shape, 'line')];
}

/** JSON with Handlebars in its strings. */
export function jsonTemplate(shape: GetShape): Extension {
  return [json(), handlebarsHighlight, handlebarsCompletion(shape, 'line')];
}
