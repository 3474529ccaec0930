import { Type, type Static } from 'typebox';
import { exactlyOneOf } from '../schema/cel.ts';
import { EInvoice } from '../schema/e-invoice.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { MAX_TEMPLATE_BYTES } from '../limits.ts';
import { defineKind, READY } from '../schema/kind.ts';
import { RENDER_OPTIONS_RULES, RenderOptions } from '../schema/render-options.ts';
import type { Resource } from '../schema/resource.ts';
import { ObjectRef, Sha256, StringEnum, Timestamp } from '../schema/schema.ts';
import { TemplateSchema } from '../schema/template-schema.ts';

export const TEMPLATE_STATES = ['active', 'draft', 'archived'] as const;

/** The plain-text alternative of an email template is always in the resource. */
const MAX_EMAIL_TEXT_LENGTH = 65_536;

/**
 * The gateway's record of its last write: the resulting generation, a space, and one of TEMPLATE_CHANGES. A change by
 * another client leaves an older generation here.
 */
export const CHANGE_ANNOTATION = 'trifold.dev/change';

/**
 * The version that documents use if their request names none, as a decimal number. Without it, they use the current
 * version.
 */
export const PUBLISHED_ANNOTATION = 'trifold.dev/published-version';

/**
 * The template's named sample data as JSON, `[{"name": …, "data": {…}}]`, as written by clients of the API server. It
 * is not part of a version, and replaces the samples of SAMPLES_REF_ANNOTATION. The next save through `/v1` removes it.
 */
export const SAMPLES_ANNOTATION = 'trifold.dev/samples';

/** The sample data that was saved through `/v1`: an ObjectRef as JSON. It is not part of a version. */
export const SAMPLES_REF_ANNOTATION = 'trifold.dev/samples-ref';

/** Origins of a template version's content. */
export const TEMPLATE_CHANGES = ['created', 'updated', 'restored'] as const;
export type TemplateChangeKind = (typeof TEMPLATE_CHANGES)[number];

/** Fields of a template's `email`: the parts of an email other than its HTML and CSS. All can contain bindings. */
export const TemplateEmail = Type.Object(
  {
    subject: Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Subject line. Can contain {{bindings}}; values are not escaped.',
    }),
    preheader: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Preview text, which email clients show next to the subject. Can contain {{bindings}}.',
      }),
    ),
    text: Type.Optional(
      Type.String({
        maxLength: MAX_EMAIL_TEXT_LENGTH,
        description:
          'Text alternative. Can contain {{bindings}}; values are not escaped. Default: derived from the HTML.',
      }),
    ),
  },
  {
    description:
      'Email parts other than html and css. A template with these parts can be compiled into an email.',
  },
);
export type TemplateEmail = Static<typeof TemplateEmail>;

export const TemplateSpec = Type.Object(
  {
    displayName: Type.String({ minLength: 1, maxLength: 200, description: 'Display name.' }),
    description: Type.Optional(Type.String({ maxLength: 2000, description: 'Description.' })),
    state: Type.Optional(
      StringEnum(TEMPLATE_STATES, {
        default: 'active',
        description: 'active and draft templates generate documents; archived templates do not.',
      }),
    ),
    html: Type.Optional(
      Type.String({ maxLength: MAX_TEMPLATE_BYTES, description: 'HTML with {{bindings}} (Handlebars).' }),
    ),
    css: Type.Optional(
      Type.String({ maxLength: MAX_TEMPLATE_BYTES, description: 'Styles added to the document head.' }),
    ),
    sourceRef: Type.Optional(ObjectRef),
    schema: Type.Optional(TemplateSchema),
    defaultOptions: Type.Optional(RenderOptions),
    email: Type.Optional(TemplateEmail),
    eInvoice: Type.Optional(EInvoice),
    changedAt: Type.Optional(
      Timestamp({ description: 'Time of the last change through /v1, with milliseconds.' }),
    ),
  },
  { description: 'The template.' },
);
export type TemplateSpec = Static<typeof TemplateSpec>;

/** Position of a syntax error in a template; line and column count from 1. */
const SourceError = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Line, counted from 1.' }),
    column: Type.Integer({ minimum: 1, description: 'Column, counted from 1.' }),
    message: Type.String({ maxLength: 2000, description: 'Problem at this position.' }),
  },
  { description: 'Position of the compilation error, in the HTML unless the message names another part.' },
);

/**
 * The versions that may still be published. The controller writes this before it deletes others, and an excluded
 * version remains excluded, so a publication and a deletion can never both succeed
 * (docs/adr/0046-samples-and-versions.md).
 */
const TemplateHistoryStatus = Type.Object(
  {
    oldest: Type.Integer({
      minimum: 1,
      description: 'Older versions are deleted, except the published one.',
    }),
    published: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Older version that is kept because it was published.' }),
    ),
  },
  { description: 'Versions that are kept. If it is absent, all versions are kept.' },
);
export type TemplateHistoryStatus = Static<typeof TemplateHistoryStatus>;

export const TemplateStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'metadata.generation that the controller has checked.' }),
    ),
    revision: Type.Optional(Sha256({ description: 'SHA-256 of the content of this version.' })),
    error: Type.Optional(SourceError),
    history: Type.Optional(TemplateHistoryStatus),
    conditions: Type.Optional(ConditionList()),
  },
  { description: 'Result of the compilation.' },
);
export type TemplateStatus = Static<typeof TemplateStatus>;

export type Template = Resource<TemplateSpec, TemplateStatus>;

/**
 * Number of templates per list page: the API server and its client hold a page in memory, and a template can be a
 * megabyte.
 */
export const TEMPLATES_PER_PAGE = 25;

export const TEMPLATE = defineKind<TemplateSpec, TemplateStatus>({
  kind: 'Template',
  plural: 'templates',
  singular: 'template',
  shortNames: ['tpl'],
  description: 'An HTML template with data bindings.',
  spec: TemplateSpec,
  status: TemplateStatus,
  columns: [
    { name: 'Display Name', type: 'string', jsonPath: '.spec.displayName' },
    { name: 'State', type: 'string', jsonPath: '.spec.state' },
    { name: 'Version', type: 'integer', jsonPath: '.metadata.generation' },
    { name: 'Ready', type: 'string', jsonPath: `${READY}.status` },
    { name: 'Reason', type: 'string', jsonPath: `${READY}.reason` },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Message', type: 'string', jsonPath: `${READY}.message`, priority: 1 },
  ],
  selectableFields: ['.spec.state'],
  rules: [
    { path: ['spec'], rule: exactlyOneOf('html', 'sourceRef') },
    ...RENDER_OPTIONS_RULES.map((rule) => ({ path: ['spec', 'defaultOptions'], rule })),
  ],
});
