import { INLINE_SOURCE_LIMIT } from '../limits.ts';
import { Type, type Static } from 'typebox';
import { celRule, type PlacedRule } from '../schema/cel.ts';
import { RENDER_OPTIONS_RULES } from '../schema/render-options.ts';
import { Sha256 } from '../schema/schema.ts';
import { TemplateSpec } from './template.ts';

const { displayName, schema, defaultOptions, eInvoice } = TemplateSpec.properties;

/** A template in a job or batch: fields of a Template's spec. */
export const InlineTemplate = Type.Object(
  {
    displayName: Type.Optional(displayName),
    html: Type.String({
      minLength: 1,
      maxLength: INLINE_SOURCE_LIMIT,
      description: 'HTML with {{bindings}} (Handlebars).',
    }),
    css: Type.Optional(
      Type.String({ maxLength: INLINE_SOURCE_LIMIT, description: 'Styles added to the document head.' }),
    ),
    schema,
    defaultOptions,
    eInvoice,
  },
  {
    description: `Inline template, instead of templateRef. Together, its html and css are limited to ${INLINE_SOURCE_LIMIT} characters.`,
  },
);
export type InlineTemplate = Static<typeof InlineTemplate>;

/** Title of a document whose inline template has no name. */
export const UNNAMED_TEMPLATE = 'Document';

/**
 * Returns the spec fields of a job or batch that define what is rendered. `what`: name of its documents in
 * descriptions.
 */
export function templateMembers(what: string) {
  return {
    templateRef: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 253, description: 'Template in the same namespace.' }),
        },
        {
          description: `Template for ${what}. Without templateRef, template or revision specifies the content to render.`,
        },
      ),
    ),
    template: Type.Optional(InlineTemplate),
    revision: Type.Optional(
      Sha256({
        description:
          'SHA-256 of the rendered content. If it is absent, the controller determines it and writes it to the status.',
      }),
    ),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Version of the template. If revision is set, it selects the content, and version is for information only.',
      }),
    ),
  };
}

/** Rules for the fields of `templateMembers`. */
export const TEMPLATE_RULES: readonly PlacedRule[] = [
  {
    path: ['spec'],
    rule: celRule(
      'has(self.templateRef) ? !has(self.template) : has(self.template) != has(self.revision)',
      'template cannot be set with templateRef; without templateRef, exactly one of template and revision must be set',
      ({ templateRef, template, revision }) =>
        templateRef === undefined
          ? (template === undefined) !== (revision === undefined)
          : template === undefined,
    ),
  },
  {
    path: ['spec', 'template'],
    rule: celRule(
      `!has(self.css) || size(self.html) + size(self.css) <= ${INLINE_SOURCE_LIMIT}`,
      `html and css together are limited to ${INLINE_SOURCE_LIMIT} characters`,
      ({ html, css }) => css === undefined || lengthOf(html) + lengthOf(css) <= INLINE_SOURCE_LIMIT,
    ),
  },
  ...RENDER_OPTIONS_RULES.map((rule) => ({ path: ['spec', 'template', 'defaultOptions'], rule })),
];

/** Counts characters as CEL does. */
function lengthOf(text: unknown): number {
  return Array.from(String(text)).length;
}
