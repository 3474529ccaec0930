import { FieldDefinition, StringEnum, TEMPLATE_STATES, TemplateEmail } from '@trifold/crds';
import { Type, type Static, type TSchema } from 'typebox';
import { ApiOptions } from '../generation/options.ts';
import { pageOf } from '../lists/page.ts';
import { ShownName } from '../lists/shown-name.ts';

/** A nested schema, inside `items` or `properties` (interface, "Template schema"); every member but `name`. */
const { name: _name, items: _items, properties: _properties, type, ...checks } = FieldDefinition.properties;
export const NESTED_FIELD_ID = 'nested-field';
const nested = Type.Unsafe<Record<string, unknown>>({ $ref: `${NESTED_FIELD_ID}#` });
const nesting = {
  items: Type.Optional(nested),
  properties: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: nested }),
  ),
};

/** Refers to itself, so it is added to the application by name. */
export const NestedField = Type.Object(
  { type: Type.Optional(type), ...checks, ...nesting },
  { $id: NESTED_FIELD_ID, additionalProperties: false },
);

/** The data schema of a template as the API takes it: what it does not know is refused. */
const ApiTemplateSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object({ ...FieldDefinition.properties, ...nesting }, { additionalProperties: false }),
      { maxItems: 500 },
    ),
  },
  { additionalProperties: false },
);

/** What makes a template a letter, as the API takes it. */
const ApiEmail = Type.Object(TemplateEmail.properties, {
  additionalProperties: false,
  description: 'What an email has beside html and css; POST /v1/emails/compile needs it.',
});

const members = {
  name: ShownName,
  description: Type.Optional(orNull(Type.String({ maxLength: 2000 }))),
  status: Type.Optional(StringEnum(TEMPLATE_STATES)),
  html: Type.String({ minLength: 1 }),
  css: Type.Optional(orNull(Type.String())),
  schema: Type.Optional(orNull(ApiTemplateSchema)),
  default_options: Type.Optional(orNull(ApiOptions)),
  email: Type.Optional(orNull(ApiEmail)),
};

/** What reads show as null when there is none may be sent as null as well; not a choice of two, for the messages. */
function orNull<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ ...schema, nullable: true });
}

/** Body of POST /v1/templates. */
export const NewTemplate = Type.Object(members, { additionalProperties: false });
export type NewTemplate = Static<typeof NewTemplate>;

/** Body of PATCH /v1/templates/:id: any subset of the members. */
export const TemplateChange = Type.Partial(Type.Object(members), { additionalProperties: false });
export type TemplateChange = Static<typeof TemplateChange>;

/** An entry of the list (interface, "Template"). */
const entry = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  status: StringEnum(TEMPLATE_STATES),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
};
export const TemplateEntry = Type.Object(entry);
export type TemplateEntry = Static<typeof TemplateEntry>;

/** One template in full. */
export const TemplateView = Type.Object({
  ...entry,
  html: Type.String(),
  css: Type.Union([Type.String(), Type.Null()]),
  schema: Type.Unsafe<unknown>({ description: 'The data schema, or null.' }),
  default_options: Type.Unsafe<unknown>({ description: 'The default generation options.' }),
  email: Type.Union([TemplateEmail, Type.Null()], { description: 'What makes it a letter, or null.' }),
});
export type TemplateView = Static<typeof TemplateView>;

/** A page of the list. */
export const TemplatePage = pageOf(TemplateEntry);
export type TemplatePage = Static<typeof TemplatePage>;
