import {
  EInvoice,
  FieldDefinition,
  StringEnum,
  TEMPLATE_STATES,
  TemplateEmail,
  Timestamp,
  MAX_BINDINGS,
} from '@trifold/crds';
import { Type, type Static, type TSchema } from 'typebox';
import { NESTED } from '../server/http/nested-field.ts';
import { nullable, ShownName } from '../server/http/route-schemas.ts';
import { ApiOptions } from '../options/api-options.ts';
import { pageOf } from '../server/pagination/page.ts';
import { SampleList } from './samples.ts';

/** Data schema of a template as the API accepts it: unknown fields are rejected. */
const ApiTemplateSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        { ...FieldDefinition.properties, ...NESTED },
        { title: 'Field', description: 'One field in the data.', additionalProperties: false },
      ),
      { maxItems: MAX_BINDINGS },
    ),
  },
  {
    title: 'DataSchema',
    description: 'Schema for the data. Data is checked before generation.',
    additionalProperties: false,
  },
);

/** Marks a template as an email template, as the API accepts it. */
const ApiEmail = Type.Object(TemplateEmail.properties, {
  title: 'TemplateEmail',
  additionalProperties: false,
  description: 'Email parts other than html and css. Required by `POST /v1/emails/compile`.',
});

/** A template's e-invoice, as the API accepts it. */
const ApiEInvoice = Type.Object(EInvoice.properties, {
  title: 'EInvoice',
  additionalProperties: false,
  description: "E-invoice created from each document's data. Documents with the format xml require it.",
});

const members = {
  name: ShownName,
  description: Type.Optional(orNull(Type.String({ maxLength: 2000, description: 'Description.' }))),
  status: Type.Optional(
    StringEnum(TEMPLATE_STATES, {
      description: 'Active and draft templates generate documents; archived templates do not.',
    }),
  ),
  html: Type.String({
    minLength: 1,
    description: 'HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not.',
  }),
  css: Type.Optional(orNull(Type.String({ description: 'CSS, without bindings.' }))),
  schema: Type.Optional(orNull(ApiTemplateSchema)),
  default_options: Type.Optional(orNull(ApiOptions)),
  email: Type.Optional(orNull(ApiEmail)),
  e_invoice: Type.Optional(orNull(ApiEInvoice)),
};

/**
 * Also accepts null, which reads return for an absent value. Uses `nullable` instead of `anyOf` for better messages.
 */
function orNull<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
}

const EXAMPLE = {
  name: 'Invoice',
  html: '<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{description}}: {{total}}</p>{{/each}}',
  css: 'h1 { font-size: 16pt }',
  schema: {
    fields: [
      { name: 'number', type: 'string', required: true },
      {
        name: 'lines',
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { description: { type: 'string' }, total: { type: 'string' } },
        },
      },
    ],
  },
};

/** Body of POST /v1/templates. */
export const NewTemplate = Type.Object(members, {
  additionalProperties: false,
  title: 'TemplateRequest',
  examples: [{ ...EXAMPLE, default_options: { page_size: 'a4', margins: '18mm' } }],
});
export type NewTemplate = Static<typeof NewTemplate>;

/** Body of PATCH /v1/templates/:id: any subset of the fields, and the samples. */
export const TemplateChange = Type.Partial(Type.Object({ ...members, samples: SampleList }), {
  additionalProperties: false,
  title: 'TemplateChange',
  examples: [{ name: 'Invoice, 2026', status: 'active' }],
});
export type TemplateChange = Static<typeof TemplateChange>;

/** An entry of the list (interface, "Template"). */
const entry = {
  id: Type.String({ description: 'ID, used as `template_id`.' }),
  name: Type.String({ description: 'Name.' }),
  description: nullable(Type.String(), 'Description, or null.'),
  status: StringEnum(TEMPLATE_STATES, { description: 'Archived templates do not generate documents.' }),
  version: Type.Integer({
    minimum: 1,
    description: 'Increases by one with each change, except publishing and samples.',
  }),
  created_at: Timestamp({ description: 'Time of creation.' }),
  updated_at: Timestamp({
    description:
      'Time of the last change through `/v1`, or else the creation time. Publishing and samples do not change it.',
  }),
  published_version: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Version that documents use by default. If it is absent, they use the saved version.',
    }),
  ),
};
export const TemplateEntry = Type.Object(entry, {
  title: 'TemplateEntry',
  description: 'A template in a list.',
});
export type TemplateEntry = Static<typeof TemplateEntry>;

/** An entry with additional fields that only filters need. */
export interface ListedTemplate extends TemplateEntry {
  readonly isEmail: boolean;
}

/** One template in full. */
export const TemplateView = Type.Object(
  {
    ...entry,
    html: Type.String({ description: 'HTML with bindings.' }),
    css: nullable(Type.String(), 'CSS, or null.'),
    // As stored, because kubectl can write schemas that /v1 would reject.
    schema: Type.Unsafe<unknown>({ type: ['object', 'null'], description: 'The data schema, or null.' }),
    default_options: nullable(ApiOptions, 'The default generation options, or null.'),
    email: nullable(ApiEmail, 'Email parts other than html and css, or null.'),
    e_invoice: nullable(ApiEInvoice, 'E-invoice, or null.'),
  },
  { title: 'Template', description: 'A template.' },
);
export type TemplateView = Static<typeof TemplateView>;

export const EXAMPLE_ENTRY: TemplateEntry = {
  id: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha',
  name: EXAMPLE.name,
  description: null,
  status: 'active',
  version: 1,
  created_at: '2026-11-21T09:58:12.000Z',
  updated_at: '2026-11-21T09:58:12.000Z',
};

export const EXAMPLE_TEMPLATE: TemplateView = {
  ...EXAMPLE_ENTRY,
  html: EXAMPLE.html,
  css: EXAMPLE.css,
  schema: EXAMPLE.schema,
  default_options: {
    page_size: 'a4',
    margins: { top: '18mm', right: '18mm', bottom: '18mm', left: '18mm' },
  },
  email: null,
  e_invoice: null,
};

/** The same template, changed later. */
export const EXAMPLE_CHANGED_TEMPLATE: TemplateView = {
  ...EXAMPLE_TEMPLATE,
  version: 2,
  updated_at: '2026-11-23T16:04:40.000Z',
};

export const TemplatePage = pageOf(TemplateEntry, 'TemplateList');
