import { FieldDefinition } from '@trifold/crds';
import { Type } from 'typebox';

/**
 * A nested schema, inside `items` or `properties` (interface, "Template schema"), with every field except `name`.
 */
const { name: _name, items: _items, properties: _properties, type, ...checks } = FieldDefinition.properties;
const NESTED_FIELD_ID = 'nested-field';
const nested = Type.Unsafe<Record<string, unknown>>({ $ref: `${NESTED_FIELD_ID}#` });
/** The two fields of a schema that contain schemas. */
export const NESTED = {
  items: Type.Optional(nested),
  properties: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: nested }),
  ),
};

/** Recursive, so the application registers it under this name. */
export const NestedField = Type.Object(
  { type: Type.Optional(type), ...checks, ...NESTED },
  {
    $id: NESTED_FIELD_ID,
    title: 'NestedField',
    description: 'Schema for the items or fields.',
    additionalProperties: false,
  },
);
