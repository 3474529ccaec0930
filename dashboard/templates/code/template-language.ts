import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import type { DataShape } from './data-shape.ts';
import { handlebarsCompletion } from './handlebars-completion.ts';
import { handlebarsHighlight } from './handlebars-highlight.ts';
import { handlebarsHover } from './handlebars-hover.ts';
import { insertTarget } from './insert-target.ts';

/** Returns what is currently known about the data. */
export type GetShape = () => DataShape;

/** Highlights and explains bindings. */
export const handlebars = [handlebarsHighlight, handlebarsHover];

/** HTML with Handlebars. */
export function htmlTemplate(shape: GetShape): Extension {
  return [html(), handlebars, insertTarget, handlebarsCompletion(shape)];
}

/** Plain text with Handlebars. */
export function textTemplate(shape: GetShape): Extension {
  return [handlebars, insertTarget, handlebarsCompletion(shape)];
}

/** Single-line plain text with Handlebars. */
export function lineTemplate(shape: GetShape): Extension {
  return [handlebars, insertTarget, handlebarsCompletion(shape, { layout: 'line' })];
}

/** JSON with Handlebars in its strings. */
export function jsonTemplate(shape: GetShape): Extension {
  return [json(), handlebars, handlebarsCompletion(shape, { layout: 'line' })];
}
