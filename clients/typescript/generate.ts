/**
 * Generates openapi.ts, the types of the OpenAPI document, from the routes of the service. With --check it only
 * compares and exits with 1 on drift.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { loadGatewayConfig } from '@trifold/api-gateway/config.ts';
import { createGateway } from '@trifold/api-gateway/gateway.ts';
import { LENGTH_PATTERN } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string }[];
}
interface Document {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}

const FILE = new URL('./openapi.ts', import.meta.url);
const HEADER = '// Generated from the routes of the service by `npm run generate`. Do not edit.\n';
const LENGTH = 'export type Length = `${number}in` | `${number}mm` | `${number}px`;';

const nodes = await openapiTS(usedParts(await readDocument()) as OpenAPI3, {
  inject: LENGTH,
  transform: preciseType,
  postTransform: readonlyArray,
});
const text = HEADER + astToString(nodes);
if (!process.argv.includes('--check')) {
  await writeFile(FILE, text);
} else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  process.stderr.write(`${FILE.pathname} is not what the routes say: run \`npm run generate\`\n`);
  process.exitCode = 1;
}

/** Reads the OpenAPI document of a gateway that is created but not started. */
async function readDocument(): Promise<Document> {
  const root = await mkdtemp(join(tmpdir(), 'trifold-openapi-'));
  const checkPool = new CheckPool();
  const { app } = await createGateway({
    kubernetes: new KubernetesClient({
      send: () => Promise.reject(new Error('the document needs no API server')),
    }),
    store: new DirectoryStore({ root }),
    checkPool,
    clock: systemClock,
    logger: createLogger({ name: 'generate', level: 'silent' }),
    config: loadGatewayConfig({}),
    metrics: new Metrics(),
  });
  try {
    return (await app.inject('/v1/openapi.json')).json<Document>();
  } finally {
    await app.close();
    await checkPool.stop();
    await rm(root, { recursive: true });
  }
}

/** Keeps the schemas and queries only: the client itself defines paths, methods and statuses. */
function usedParts({ openapi, info, paths, components: { schemas } }: Document): object {
  const operations = Object.entries(paths).flatMap(([path, methods]) => {
    const { operationId, parameters = [] } = methods['get'] ?? {};
    const query = parameters.filter((parameter) => parameter.in === 'query');
    return query.length > 0 ? [[path, { get: { operationId, parameters: query, responses: {} } }]] : [];
  });
  return { openapi, info, paths: Object.fromEntries(operations), components: { schemas } };
}

/** Returns a more precise type than openapi-typescript derives from a schema; undefined for any other schema. */
function preciseType(schema: SchemaObject): ts.TypeNode | undefined {
  const { type, pattern, properties, additionalProperties } = schema as Record<string, unknown>;
  if (pattern === LENGTH_PATTERN) return ts.factory.createTypeReferenceNode('Length');
  if (type !== 'object' || properties !== undefined || additionalProperties !== undefined) return undefined;
  return ts.factory.createKeywordTypeNode(ts.SyntaxKind.ObjectKeyword);
}

/** Arrays are readonly, so that requests accept readonly arrays. */
function readonlyArray(type: ts.TypeNode): ts.TypeNode | undefined {
  if (!ts.isArrayTypeNode(type)) return undefined;
  return ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, type);
}
