import { MAX_BINDINGS } from '../limits.ts';
import { Type, type Static } from 'typebox';
import { AnyJson, AnyJsonObject, StringEnum } from './schema.ts';

/** One data binding of a template (interface, "Template schema"). */
export const FieldDefinition = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the binding.' }),
  type: StringEnum(['string', 'number', 'boolean', 'array', 'object'], { description: 'Type of the value.' }),
  required: Type.Optional(Type.Boolean({ description: 'Whether a value is required.' })),
  default: Type.Optional(AnyJson({ description: 'Default value.' })),
  description: Type.Optional(Type.String({ maxLength: 2000, description: 'Display name.' })),
  format: Type.Optional(StringEnum(['email', 'url', 'date'], { description: 'Format of a string.' })),
  minLength: Type.Optional(Type.Integer({ minimum: 0, description: 'Minimum length of a string.' })),
  maxLength: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum length of a string.' })),
  pattern: Type.Optional(
    Type.String({ maxLength: 1000, description: 'Regular expression that a string must match.' }),
  ),
  min: Type.Optional(Type.Number({ description: 'Minimum value of a number.' })),
  max: Type.Optional(Type.Number({ description: 'Maximum value of a number.' })),
  integer: Type.Optional(Type.Boolean({ description: 'Whether a number must be an integer.' })),
  minItems: Type.Optional(Type.Integer({ minimum: 0, description: 'Minimum number of items in an array.' })),
  maxItems: Type.Optional(Type.Integer({ minimum: 0, description: 'Maximum number of items in an array.' })),
  items: Type.Optional(
    AnyJsonObject({
      description: 'Schema for the items of an array, with its own type, properties and so on.',
    }),
  ),
  properties: Type.Optional(
    AnyJsonObject({ description: 'Fields of an object: a map from names to schemas.' }),
  ),
});
export type FieldDefinition = Static<typeof FieldDefinition>;

/** The data schema of a template. */
export const TemplateSchema = Type.Object(
  {
    fields: Type.Array(FieldDefinition, {
      maxItems: MAX_BINDINGS,
      description: 'The bindings of the template.',
    }),
  },
  { description: 'Schema for the data. Data is checked before generation.' },
);
export type TemplateSchema = Static<typeof TemplateSchema>;
