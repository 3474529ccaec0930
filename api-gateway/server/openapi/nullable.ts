import { Type, type TSchema } from 'typebox';

/** Returns the schema of a value or null. */
export function nullable<const Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}
