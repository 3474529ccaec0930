import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpsClient } from '../support/http/https-client.ts';

interface OpenApiSchema {
  [member: string]: unknown;
  properties?: Record<string, OpenApiSchema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Record<string, OpenApiSchema> };
}

/**
 * Writes a JSON schema for every kind that the API server serves, from its /openapi/v3, with the file names that
 * kubeconform expects. The schemas reject unknown fields. Returns the value of `-schema-location`.
 */
export async function writeJsonSchemas(client: HttpsClient, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const index = (await client.json({ method: 'GET', path: '/openapi/v3' })) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  const versions = Object.keys(index.paths).filter((path) => /^(api\/v1|apis\/[^/]+\/[^/]+)$/.test(path));
  for (const version of versions) {
    // Leaves out the hash in the URL: with it, the server redirects if the document has changed since.
    const [path = ''] = (index.paths[version]?.serverRelativeURL ?? '').split('?');
    const document = (await client.json({ method: 'GET', path })) as OpenApiDocument;
    await writeKinds(document.components?.schemas ?? {}, folder);
  }
  return `${folder}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
}

/** Keeps references unchanged: every file contains all schemas of its group and version at their original path. */
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

/** Rejects unknown fields in every schema that defines fields. */
function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as OpenApiSchema;
  const open = 'additionalProperties' in schema || schema['x-kubernetes-preserve-unknown-fields'] === true;
  // An object schema has a type; `properties` without a type is a property with that name.
  if (schema.properties && schema['type'] === 'object' && !open) schema['additionalProperties'] = false;
  for (const child of Object.values(schema)) close(child);
}
