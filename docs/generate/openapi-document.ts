import { readFile } from 'node:fs/promises';

type Scalar = string | number | boolean | null;

/** The JSON Schema keywords that the pages show. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly Scalar[];
  readonly const?: Scalar;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: Scalar;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

/** An operation, with its location in the document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface OpenApi {
  readonly operations: readonly Operation[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly headers: Readonly<Record<string, { readonly description: string }>>;
}

interface Source {
  readonly tags: OpenApi['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'path' | 'method'>>>>>;
  readonly components: {
    readonly schemas: OpenApi['schemas'];
    readonly headers: OpenApi['headers'];
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** Reads docs/openapi.json. Replaces references to responses. */
export async function readOpenApi(): Promise<OpenApi> {
  const text = await readFile(new URL('../openapi.json', import.meta.url), 'utf8');
  const { tags, paths, components } = JSON.parse(text) as Source;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          components.responses[nameOf(response) ?? ''] ?? response,
        ]),
      ),
    })),
  );
  return { operations, tags, schemas: components.schemas, headers: components.headers };
}

/** Returns the name at the end of a reference: `Template` for `#/components/schemas/Template`. */
export function nameOf(object: object | undefined): string | undefined {
  const { $ref } = (object ?? {}) as { readonly $ref?: string };
  return $ref?.split('/').at(-1);
}

/** Returns the scope that an operation requires; undefined if it needs no key. */
export function scopeOf({ security }: Operation): string | undefined {
  return security[0]?.['apiKey']?.[0];
}

/** Returns the successful responses of an operation, by status. */
export function successesOf({ responses }: Operation): [status: string, response: Response][] {
  return Object.entries(responses).filter(([status]) => status.startsWith('2'));
}
