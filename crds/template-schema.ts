import { Type, type Static } from 'typebox';
import { AnyJson, AnyJsonObject, StringEnum } from './schema.ts';

/** One data binding of a template (interface, "Template schema"). */
export const FieldDefinition = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  type: StringEnum(['string', 'number', 'boolean', 'array', 'object']),
  required: Type.Optional(Type.Boolean()),
  default: Type.Optional(AnyJson()),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  format: Type.Optional(StringEnum(['email', 'url', 'date'])),
  minLength: Type.Optional(Type.Integer({ minimum: 0 })),
  maxLength: Type.Optional(Type.Integer({ minimum: 0 })),
  pattern: Type.Optional(Type.String({ maxLength: 1000 })),
  min: Type.Optional(Type.Number()),
  max: Type.Optional(Type.Number()),
  integer: Type.Optional(Type.Boolean()),
  minItems: Type.Optional(Type.Integer({ minimum: 0 })),
  maxItems: Type.Optional(Type.Integer({ minimum: 0 })),
  items: Type.Optional(
    AnyJsonObject({ description: 'A nested schema; recursive, so not spelled out here.' }),
  ),
  properties: Type.Optional(AnyJsonObject({ description: 'A map of member name to nested schema.' })),
});
export type FieldDefinition = Static<typeof FieldDefinition>;

/** The data schema of a template. */
export const TemplateSchema = Type.Object({
  fields: Type.Array(FieldDefinition, { maxItems: 500 }),
});
export type TemplateSchema = Static<typeof TemplateSchema>;
