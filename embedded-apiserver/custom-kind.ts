import type { KindDefinition } from '@trifold/crds';
import { openApiSchema } from '@trifold/crds/schema/crd.ts';
import { compileJsonPath } from './objects/json-path.ts';
import { customCell, NAME_COLUMN } from './objects/table.ts';
import { CUSTOM_RESOURCE, selectableField, serveKind, type ServedKind } from './served-kind.ts';

/** Returns a custom resource in the form that this server serves. */
export function serveCustomKind(kind: KindDefinition): ServedKind {
  return serveKind({
    group: kind.group,
    version: kind.version,
    kind: kind.kind,
    plural: kind.plural,
    singular: kind.singular,
    namespaced: kind.namespaced,
    shortNames: kind.shortNames,
    categories: ['trifold'],
    description: kind.description,
    statusSubresource: true,
    openApi: {
      ...openApiSchema(kind),
      // Metadata is validated separately; the schema does not cover it.
      properties: {
        ...(openApiSchema(kind)['properties'] as object),
        metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    columns: [
      NAME_COLUMN,
      ...kind.columns.map((column) => ({
        name: column.name,
        type: column.type,
        description:
          column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
        priority: column.priority ?? 0,
        cell: customCell(column.type, compileJsonPath(column.jsonPath)),
      })),
    ],
    selectable: Object.fromEntries(kind.selectableFields.map((path) => selectableField(path))),
    rules: kind.rules,
    behaviour: CUSTOM_RESOURCE,
  });
}
