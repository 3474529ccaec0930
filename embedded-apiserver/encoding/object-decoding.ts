import { apiVersionOf } from '@trifold/crds';
import type { ServedKind } from '../served-kind.ts';
import { invalid } from '../objects/field-error.ts';
import type { JsonObject } from './json.ts';
import { decodeMetadata } from './metadata-decoding.ts';
import { pruneAndDefault } from '../schema/prune-and-default.ts';
import { badRequest, invalidObject } from '../objects/status-error.ts';
import type { SentObject } from '../objects/stored-object.ts';

/** Handling of unknown fields: an error, a Warning header, or dropped silently. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

export interface Decoded {
  readonly object: SentObject;
  /** For Warning headers. */
  readonly warnings: readonly string[];
}

/**
 * Decodes a value as an object of the kind: checks its identity, decodes metadata, prunes unknown fields and fills in
 * defaults. Throws StatusError 400, or 422 for an object of a different kind.
 */
export function decodeObject(kind: ServedKind, value: JsonObject, fieldValidation: FieldValidation): Decoded {
  checkIdentity(kind, value);
  const unknown: string[] = [];
  const metadata = decodeMetadata(value['metadata'], kind.kind, unknown);
  const object = { ...value, metadata } as SentObject;
  pruneAndDefault(kind.schema, object, '', unknown);
  const problems = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (fieldValidation === 'Strict' && problems.length > 0)
    throw badRequest(
      `${kind.kind} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}: strict decoding error: ${problems.join(', ')}`,
    );
  return { object, warnings: fieldValidation === 'Warn' ? problems : [] };
}

function checkIdentity(kind: ServedKind, value: JsonObject): void {
  const expected = apiVersionOf(kind);
  if (value['apiVersion'] !== expected)
    throw badRequest(
      `the API version in the data (${text(value['apiVersion'])}) does not match the expected API version (${expected})`,
    );
  if (value['kind'] === kind.kind) return;
  const sent = text(value['kind']);
  if (kind.behaviour.typed || sent === '')
    throw badRequest(
      `${sent} in version ${JSON.stringify(kind.version)} cannot be handled as a ${kind.kind}`,
    );
  const metadata = value['metadata'] as { name?: unknown } | undefined;
  throw invalidObject({ group: kind.group, resource: sent, name: text(metadata?.name) }, [
    invalid('kind', sent, `must be ${kind.kind}`),
  ]);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
