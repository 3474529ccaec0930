import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpsClient } from '../support/https-client.ts';

interface OpenApiSchema {
  [member: string]: unknown;
  properties?: Record<string, OpenApiSchema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Record<string, OpenApiSchema> };
}

/**
 * Writes a JSON schema for every kind that the API server serves, from what it publishes under /openapi/v3, named as
 * kubeconform looks for them. Unknown members are errors in them. Returns the place for `-schema-location`.
 */
export async function writeJsonSchemas(client: HttpsClient, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const index = (await client.json({ method: 'GET', path: '/openapi/v3' })) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const versions = Object.keys(index.paths).filter((path) => /^(api\/v1|apis\/[^/]+\/[^/]+)$/.test(path));
  for (const version of versions) {
    const document = (await client.json({
      method: 'GET',
      path: index.paths[version]?.serverRelativeURL ?? '',
    })) as OpenApiDocument;
    await writeKinds(document.components?.schemas ?? {}, folder);
  }
  return `${folder}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
}

/** References stay as they are: every file holds all schemas of its group and version at their place. */
async function writeKinds(schemas: Record<string, OpenApiSchema>, folder: string): Promise<void> {
  for (const schema of Object.values(schemas)) close(schema);
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = schema['x-kubernetes-group-version-kind'] ?? [];
    // Types such as DeleteOptions belong to every group.
    if (kinds.length !== 1 || !kinds[0]) continue;
    const { group, version, kind } = kinds[0];
    const parts = [kind, ...group.split('.').slice(0, 1), version].filter((part) => part !== '');
    const file = join(folder, `${parts.join('-').toLowerCase()}.json`);
    await writeFile(file, JSON.stringify({ $ref: `#/components/schemas/${name}`, components: { schemas } }));
  }
}

/** Makes unknown members an error wherever members are named. */
function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as OpenApiSchema;
  const open = 'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'] === true;
  // A schema of its own has a type; `properties` without one is a property that is called so.
  if (schema.properties && schema['type'] === 'object' && !open) schema['additionalProperties'] = false;
  for (const child of Object.values(schema)) close(child);
}
