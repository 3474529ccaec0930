import type { KindName, PlacedRule } from '@trifold/crds';
import type { FieldError } from './objects/field-error.ts';
import type { JsonObject } from './encoding/json.ts';
import { fieldAt, type SelectableFields } from './objects/selectors.ts';
import type { StoredObject } from './objects/stored-object.ts';
import { compileSchema, type SchemaNode } from './schema/structural-schema.ts';
import type { TableColumn } from './objects/table.ts';

/** Everything this server needs to know of a kind, compiled once: ours from their definitions, and its own few. */
export interface ServedKind extends KindName {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly description: string;
  readonly statusSubresource: boolean;
  /** The schema as published in OpenAPI. */
  readonly openApi: JsonObject;
  readonly schema: SchemaNode;
  readonly columns: readonly TableColumn[];
  readonly fields: SelectableFields;
  readonly rules: readonly PlacedRule[];
  readonly behaviour: KindBehaviour;
  /** Where its objects are kept: `<group or core>/<plural>/`. */
  readonly keyPrefix: string;
}

/** How the API server's own kinds differ from custom ones. */
export interface KindBehaviour {
  /** A PUT without resourceVersion overwrites. Custom resources refuse it. */
  readonly unconditionalUpdate: boolean;
  /** Whether metadata.generation is kept. */
  readonly generation: boolean;
  /** Strategic merge patches are taken. Custom resources answer 415. */
  readonly strategicMerge: boolean;
  /** Schema violations of type are decoding errors (400), as with Go types, and not invalid objects (422). */
  readonly typed: boolean;
  /** Names are DNS labels (no dots) and not subdomains. */
  readonly nameIsLabel: boolean;
  /** Completes an object before it is validated, in place. */
  prepare?(object: StoredObject, old: StoredObject | undefined): void;
  /** What the schema cannot say. */
  validate?(object: StoredObject, old: StoredObject | undefined): FieldError[];
}

export const CUSTOM_RESOURCE: KindBehaviour = {
  unconditionalUpdate: false,
  generation: true,
  strategicMerge: false,
  typed: false,
  nameIsLabel: false,
};

type KindParts = Omit<ServedKind, 'schema' | 'fields' | 'keyPrefix'> & {
  readonly selectable: Readonly<Record<string, (object: StoredObject) => string>>;
};

/** Compiles a kind. Throws when its schema uses what this server does not enforce. */
export function serveKind({ selectable, ...parts }: KindParts): ServedKind {
  const fields = new Map<string, (object: StoredObject) => string>([
    ['metadata.name', (object) => object.metadata.name],
    ['metadata.namespace', (object) => object.metadata.namespace ?? ''],
    ...Object.entries(selectable),
  ]);
  return {
    ...parts,
    schema: compileSchema(parts.openApi),
    fields,
    keyPrefix: `${parts.group === '' ? 'core' : parts.group}/${parts.plural}/`,
  };
}

/** A selectable field declared as a path such as `.status.phase`. */
export function selectableField(path: string): [string, (object: StoredObject) => string] {
  const field = path.replace(/^\./, '');
  return [field, fieldAt(field.split('.'))];
}

/** Key of the object of that name, or prefix of all (in the namespace) when the name is left out. */
export function keyOf(kind: ServedKind, namespace: string | undefined, name = ''): string {
  return kind.namespaced && namespace !== undefined
    ? `${kind.keyPrefix}${namespace}/${name}`
    : `${kind.keyPrefix}${name}`;
}

/** Media types of the patches that the kind takes. */
export function patchTypes(kind: ServedKind): string[] {
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  return kind.behaviour.strategicMerge ? [...types, 'application/strategic-merge-patch+json'] : types;
}
