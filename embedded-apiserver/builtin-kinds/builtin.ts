import type { JsonObject } from '../encoding/json.ts';
import type { KindBehaviour } from '../served-kind.ts';

/** Behaviour that all built-in kinds share. */
export const BUILTIN: KindBehaviour = {
  unconditionalUpdate: true,
  generation: false,
  strategicMerge: true,
  typed: true,
  nameIsLabel: false,
};

export const STRING: JsonObject = { type: 'string' };
export const INTEGER: JsonObject = { type: 'integer', format: 'int32' };
export const TIME: JsonObject = { type: 'string', format: 'date-time' };

/** Adds a description to a shared schema. */
export function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

/** Returns the schema of a whole object: apiVersion, kind, metadata and its own members. */
export function objectSchema(
  description: string,
  properties: Record<string, JsonObject>,
  required: readonly string[] = [],
): JsonObject {
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required }),
    properties: {
      apiVersion: STRING,
      kind: STRING,
      metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      ...properties,
    },
  };
}
