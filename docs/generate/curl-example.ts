import { jsonText } from './json-text.ts';
import { scopeOf, successesOf, type OpenApi, type Operation, type Parameter } from './openapi-document.ts';

const JSON_TYPE = 'application/json';

/** Returns a command that sends an operation's example, for bash and zsh. */
export function curlExample(operation: Operation, { operations }: OpenApi): string {
  const { method, requestBody } = operation;
  const body = requestBody?.content[JSON_TYPE]?.example;
  const arguments_ = [
    `curl -sS --fail-with-body${methodFlag(method, body)} "$TRIFOLD_URL${pathExample(operation, operations)}"`,
    ...(scopeOf(operation) === undefined ? [] : ['-H "Authorization: Bearer $TRIFOLD_KEY"']),
    ...(mayReturnFile(operation) && returnsJson(operation) ? [`-H 'Accept: ${JSON_TYPE}'`] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: ${JSON_TYPE}'`, `-d '${jsonText(body).replaceAll("'", String.raw`'\''`)}'`]),
    ...(returnsJson(operation) ? [] : [`-o ${fileName(operation)}`]),
  ];
  return arguments_.join(' \\\n  ');
}

/** Whether the response can be a file instead of JSON. */
export function mayReturnFile(operation: Operation): boolean {
  return contentTypes(operation).some((type) => type !== JSON_TYPE);
}

/** File names in examples, by media type; the first type that an operation returns is used. */
const FILE_NAMES = {
  'application/zip': 'documents.zip',
  'application/pdf': 'document.pdf',
  'image/webp': 'thumbnail.webp',
};

/** Returns a file name for a response. */
export function fileName(operation: Operation): string {
  const types = contentTypes(operation);
  const named = Object.entries(FILE_NAMES).find(([type]) => types.includes(type));
  return named?.[1] ?? 'file';
}

function returnsJson(operation: Operation): boolean {
  return contentTypes(operation).includes(JSON_TYPE);
}

function contentTypes(operation: Operation): string[] {
  return successesOf(operation).flatMap(([, { content = {} }]) => Object.keys(content));
}

function methodFlag(method: string, body: unknown): string {
  const usual = body === undefined ? 'GET' : 'POST';
  return method === usual ? '' : ` -X ${method}`;
}

function pathExample({ path, parameters = [] }: Operation, operations: readonly Operation[]): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const declared = parameters.find(
      (parameter) => parameter.in === 'path' && parameter.name === name,
    )?.example;
    return String(declared ?? exampleId(path.slice(0, path.indexOf('/{')), operations));
  });
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  return query.length === 0 ? filled : `${filled}?${query.map(queryExample).join('&')}`;
}

function queryExample({ name, example }: Parameter): string {
  return `${name}=${String(example)}`;
}

/** Returns the ID in the example response of the operation that creates or lists the resources at a path. */
function exampleId(collection: string, operations: readonly Operation[]): string {
  for (const method of ['POST', 'GET']) {
    const operation = operations.find(
      (candidate) => candidate.path === collection && candidate.method === method,
    );
    const [example] = operation
      ? successesOf(operation).map(([, response]) => idIn(response.content?.[JSON_TYPE]?.example))
      : [];
    if (example !== undefined) return example;
  }
  throw new Error(`no example of ${collection} has an ID`);
}

function idIn(example: unknown): string | undefined {
  const { id, data } = (example ?? {}) as { id?: string; data?: readonly { id?: string }[] };
  return id ?? data?.[0]?.id;
}
