import type { KindName, PlacedRule } from '@trifold/crds';
import type { FieldError } from './objects/field-error.ts';
import type { JsonObject } from './encoding/json.ts';
import { fieldAt, type SelectableFields } from './objects/selectors.ts';
import type { StoredObject } from './objects/stored-object.ts';
import { compileSchema, type SchemaNode } from './schema/structural-schema.ts';
import type { TableColumn } from './objects/table.ts';

/** A kind in the form that this server uses, compiled once; for both custom resources and built-in kinds. */
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
  /** Key prefix of the kind's objects: `<group or core>/<plural>/`. */
  readonly keyPrefix: string;
}

/** Differences between built-in kinds and custom resources. */
export interface KindBehaviour {
  /** Whether a PUT without resourceVersion overwrites the object. For custom resources, it fails. */
  readonly unconditionalUpdate: boolean;
  /** Whether the server maintains metadata.generation. */
  readonly generation: boolean;
  /** Whether strategic merge patches are supported. Custom resources return 415. */
  readonly strategicMerge: boolean;
  /** Whether wrong types are decoding errors (400), as with Go types, rather than validation errors (422). */
  readonly typed: boolean;
  /** Whether names are DNS labels (no dots) rather than subdomains. */
  readonly nameIsLabel: boolean;
  /** Completes an object in place, before validation. */
  prepare?(object: StoredObject, old: StoredObject | undefined): void;
  /** Performs checks that the schema cannot express. */
  validate?(object: StoredObject, old: StoredObject | undefined): FieldError[];
}

export const CUSTOM_RESOURCE: KindBehaviour = {
  unconditionalUpdate: false,
  generation: true,
  strategicMerge: false,
  typed: false,
  nameIsLabel: false,
};

/** A kind before it is compiled. */
export type KindParts = Omit<ServedKind, 'schema' | 'fields' | 'keyPrefix'> & {
  readonly selectable: Readonly<Record<string, (object: StoredObject) => string>>;
};

/** Compiles a kind. Throws if its schema has a keyword that this server does not enforce. */
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

/** Returns the selectable field for a path such as `.status.phase`. */
export function selectableField(path: string): [string, (object: StoredObject) => string] {
  const field = path.replace(/^\./, '');
  return [field, fieldAt(field.split('.'))];
}

/** Returns the key of an object, or, if the name is omitted, the prefix of all objects (in the namespace). */
export function storageKey(kind: ServedKind, namespace: string | undefined, name = ''): string {
  return kind.namespaced && namespace !== undefined
    ? `${kind.keyPrefix}${namespace}/${name}`
    : `${kind.keyPrefix}${name}`;
}

/** Media types of the patches that the kind supports. */
export function patchTypes(kind: ServedKind): string[] {
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  return kind.behaviour.strategicMerge ? [...types, 'application/strategic-merge-patch+json'] : types;
}
