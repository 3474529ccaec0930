import type { KindDefinition } from './kind.ts';
import { toJsonSchema } from './schema.ts';

type JsonSchema = Record<string, unknown>;

/**
 * Makes the API server record one field owner for the whole object. With an owner per field, a report with 500 pending
 * uids would have 500 entries in its managedFields, which every write computes and every watch sends.
 */
const ONE_OWNER = { 'x-kubernetes-map-type': 'atomic' };

/** Returns a kind's OpenAPI v3 schema for its CRD, with the CEL rules at their paths. */
export function openApiSchema(kind: KindDefinition): JsonSchema {
  const schema: JsonSchema = {
    type: 'object',
    description: kind.description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'Group and version: trifold.dev/v1alpha1.' },
      kind: { type: 'string', description: `Kind: ${kind.kind}.` },
      metadata: { type: 'object' },
      spec: toJsonSchema(kind.spec),
      status: { ...toJsonSchema(kind.status), ...ONE_OWNER },
    },
  };
  for (const { path, rule } of kind.rules) {
    const node = schemaAt(schema, path);
    const rules = (node['x-kubernetes-validations'] ??= []) as object[];
    rules.push({ rule: rule.rule, message: rule.message });
  }
  return schema;
}

/** Returns the CustomResourceDefinition object (apiextensions.k8s.io/v1) for a kind. */
export function customResourceDefinition(kind: KindDefinition): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}` },
    spec: {
      group: kind.group,
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        shortNames: kind.shortNames,
        categories: ['trifold'],
      },
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: openApiSchema(kind) },
          subresources: { status: {} },
          additionalPrinterColumns: kind.columns,
          ...(kind.selectableFields.length > 0 && {
            selectableFields: kind.selectableFields.map((jsonPath) => ({ jsonPath })),
          }),
        },
      ],
    },
  };
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema {
  return path.reduce((node, member) => {
    const next = (node['properties'] as Record<string, JsonSchema> | undefined)?.[member];
    if (!next) throw new Error(`no schema at ${path.join('.')}`);
    return next;
  }, schema);
}
