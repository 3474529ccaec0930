import type { JsonObject } from '../encoding/json.ts';
import type { TableColumn } from '../objects/table.ts';
import { serveKind, type KindBehaviour, type KindParts, type ServedKind } from '../served-kind.ts';

export const STRING: JsonObject = { type: 'string' };
export const INTEGER: JsonObject = { type: 'integer', format: 'int32' };
export const TIME: JsonObject = { type: 'string', format: 'date-time' };

/** Adds a description to a shared schema. */
export function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

/** Declaration of a built-in kind. Omitted fields have a value common to most built-in kinds. */
interface BuiltinKind extends Partial<Pick<KindParts, 'shortNames' | 'statusSubresource' | 'selectable'>> {
  readonly kind: string;
  /** @default '' */
  readonly group?: string;
  /** @default true */
  readonly namespaced?: boolean;
  readonly description: string;
  /** Schemas of its own fields. */
  readonly properties: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly columns: readonly TableColumn[];
  readonly behaviour?: Partial<KindBehaviour>;
}

/** Returns a text column for `kubectl get`. */
export function column(name: string, description: string, cell: TableColumn['cell']): TableColumn {
  return { name, type: 'string', description, priority: 0, cell };
}

/** Returns a Kubernetes kind, version v1, in the form that this server serves. */
export function builtinKind(declared: BuiltinKind): ServedKind {
  const { kind, group = '', description, properties, required = [], columns, behaviour } = declared;
  const singular = kind.toLowerCase();
  return serveKind({
    group,
    version: 'v1',
    kind,
    plural: `${singular}s`,
    singular,
    namespaced: declared.namespaced ?? true,
    shortNames: declared.shortNames ?? [],
    categories: [],
    description,
    statusSubresource: declared.statusSubresource ?? false,
    openApi: {
      type: 'object',
      description,
      ...(required.length > 0 && { required }),
      properties: {
        apiVersion: STRING,
        kind: STRING,
        metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        ...properties,
      },
    },
    columns,
    selectable: declared.selectable ?? {},
    rules: [],
    behaviour: {
      unconditionalUpdate: true,
      generation: false,
      strategicMerge: true,
      typed: true,
      nameIsLabel: false,
      ...behaviour,
    },
  });
}
