import { isObject, type JsonObject } from '../encoding/json.ts';

/**
 * A structural schema (OpenAPI v3 as in CustomResourceDefinitions), compiled once per kind. Fields that it does not
 * define are pruned, unless `preserve` is set.
 */
export interface SchemaNode {
  readonly type: string | undefined;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: readonly string[];
  /** Schema of a map's values. */
  readonly additional: SchemaNode | undefined;
  /** `x-kubernetes-preserve-unknown-fields`. */
  readonly preserve: boolean;
  readonly items: SchemaNode | undefined;
  readonly default: unknown;
  /** Fields that have a default. */
  readonly defaults: readonly [string, unknown][];
  readonly allowed: readonly unknown[] | undefined;
  readonly pattern: { readonly source: string; readonly expression: RegExp } | undefined;
  readonly format: string | undefined;
  readonly bounds: Readonly<Partial<Record<(typeof BOUNDS)[number], number>>>;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
}

const BOUNDS = [
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'maxProperties',
] as const;

/** Keywords that this server enforces or may ignore. Any other keyword is a bug in the kind and fails at startup. */
const KEYWORDS: ReadonlySet<string> = new Set<string>([
  ...BOUNDS,
  'type',
  'description',
  'title',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'default',
  'enum',
  'pattern',
  'format',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]);

/** Compiles a schema. Throws for a keyword that this server does not enforce. */
export function compileSchema(schema: JsonObject): SchemaNode {
  const unknown = Object.keys(schema).filter((keyword) => !KEYWORDS.has(keyword));
  if (unknown.length > 0) throw new Error(`unsupported schema keywords: ${unknown.join(', ')}`);
  const properties = compileProperties(schema['properties']);
  return {
    type: schema['type'] as string | undefined,
    properties,
    required: (schema['required'] ?? []) as string[],
    additional: compileOptional(schema['additionalProperties']),
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    items: compileOptional(schema['items']),
    default: schema['default'],
    defaults: [...properties].flatMap(([name, node]): [string, unknown][] =>
      node.default === undefined ? [] : [[name, node.default]],
    ),
    allowed: schema['enum'] as unknown[] | undefined,
    pattern: compilePattern(schema['pattern']),
    format: schema['format'] as string | undefined,
    bounds: Object.fromEntries(
      BOUNDS.flatMap((bound) => (schema[bound] === undefined ? [] : [[bound, schema[bound]]])),
    ),
    listType: schema['x-kubernetes-list-type'] as string | undefined,
    listKeys: (schema['x-kubernetes-list-map-keys'] ?? []) as string[],
  };
}

function compileProperties(properties: unknown): Map<string, SchemaNode> {
  return new Map(
    Object.entries((properties ?? {}) as Record<string, JsonObject>).map(([name, schema]) => [
      name,
      compileSchema(schema),
    ]),
  );
}

function compileOptional(schema: unknown): SchemaNode | undefined {
  return isObject(schema) ? compileSchema(schema) : undefined;
}

function compilePattern(pattern: unknown): SchemaNode['pattern'] {
  return typeof pattern === 'string' ? { source: pattern, expression: new RegExp(pattern, 'u') } : undefined;
}
