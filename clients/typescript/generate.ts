/** Writes openapi.ts, the types from docs/openapi.json. Git ignores it: `npm ci` and `npm run check` write it. */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString, type OpenAPI3, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { LENGTH_PATTERN } from '@trifold/crds';

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

const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);
const FILE = new URL('./openapi.ts', import.meta.url);
const HEADER = '// Generated from docs/openapi.json. Do not edit.\n';
const LENGTH = 'export type Length = `${number}in` | `${number}mm` | `${number}px`;';

const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as Document;
const nodes = await openapiTS(usedParts(document) as OpenAPI3, {
  inject: LENGTH,
  transform: preciseType,
  postTransform: readonlyArray,
});
const text = HEADER + astToString(nodes);
// Tests build the package in parallel, so only changed files are written.
if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) await writeFile(FILE, text);

/** Keeps only schemas and queries: the client itself defines paths, methods and statuses. */
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
