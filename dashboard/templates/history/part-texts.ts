import type { Template } from '@trifold/client';
import { formatJson } from '../json-text.ts';

/** Parts of a template that are compared, in editor order. */
export const PARTS = ['html', 'css', 'schema', 'options', 'email', 'e_invoice', 'settings'] as const;
export type Part = (typeof PARTS)[number];

type PartTexts = Readonly<Record<Part, string>>;

/** A string and its label. */
export interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/** Returns the parts of a template as strings. An absent part is an empty string. */
export function partTexts(template: Template): PartTexts {
  const { html, css, schema, default_options, email, name, description, status, e_invoice } = template;
  return {
    html,
    css: css ?? '',
    schema: formatJson(schema),
    options: formatJson(default_options),
    email: formatJson(email),
    e_invoice: formatJson(e_invoice),
    settings: formatJson({ name, description, status }),
  };
}

/** Returns the parts that differ. */
export function changedParts(before: PartTexts, after: PartTexts): readonly Part[] {
  return PARTS.filter((part) => before[part] !== after[part]);
}
