import { table, type Row } from '../markdown-table.ts';
import { slug } from '../site/markdown.ts';
import { commonErrors, errorsOf } from './api-errors.ts';
import { curlExample, fileName, mayReturnFile } from './curl-example.ts';
import { frontMatter } from './front-matter.ts';
import { jsonText } from './json-text.ts';
import {
  nameOf,
  scopeOf,
  successesOf,
  type OpenApi,
  type Operation,
  type Schema,
} from './openapi-document.ts';
import { fieldsOf, meaningOf, typeOf, type Field, type SchemaContext } from './schema-fields.ts';

/** Page with one tag's operations. */
export interface ApiPage {
  readonly file: string;
  readonly tag: string;
  /** Markdown: related pages, or what applies to all operations. */
  readonly note?: string;
}

export const API_PAGES: readonly ApiPage[] = [
  {
    file: 'templates',
    tag: 'Templates',
    note: 'See also: the [template guide](../templates.md), the [data schema](../data-schema.md) and [limits](limits.md).',
  },
  {
    file: 'documents',
    tag: 'Documents',
    note: 'See also: [formats](../formats.md), [options](../rendering.md#options), [repeated requests](idempotency.md) and [limits](limits.md).',
  },
  {
    file: 'batches',
    tag: 'Batches',
    note: 'See also: [generate many documents](../how-to/batches.md) and [repeated requests](idempotency.md).',
  },
  { file: 'emails', tag: 'Emails', note: 'See also: the [guide to emails](../emails.md).' },
  {
    file: 'api-keys',
    tag: 'API keys',
    note: 'Every path also exists with `/v1/keys` instead of `/v1/api-keys`. See also: [test and live keys, and scopes](overview.md).',
  },
  { file: 'usage', tag: 'Usage' },
  {
    file: 'webhooks',
    tag: 'Webhooks',
    note: 'See also: [receive and verify webhooks](../webhooks.md), with the events and their signatures.',
  },
  { file: 'service', tag: 'Service' },
];

/** Whether an operation is the same as one with a different path. */
export function isAlias({ path }: Operation): boolean {
  return path.startsWith('/v1/keys');
}

/** Objects that have their own page. */
const DESCRIBED: Readonly<Record<string, string>> = {
  DataSchema: 'See [data schema](../data-schema.md).',
  DocumentWarning: 'See [warnings](../errors.md#warnings-of-documents).',
  GenerationOptions: 'See [options](../rendering.md#options).',
  Pagination: 'See [pagination](pagination.md).',
  UsageTotal: 'It has the fields of an entry, without `date`.',
};

function contextOf({ schemas }: OpenApi): SchemaContext {
  return { schemas, insteadOf: (name = '') => DESCRIBED[name] };
}

/** Returns the page of a tag. */
export function apiPage({ tag, note }: ApiPage, api: OpenApi): string {
  const operations = inReadingOrder(
    api.operations.filter((operation) => operation.tags[0] === tag && !isAlias(operation)),
  );
  const description = api.tags.find(({ name }) => name === tag)?.description;
  const parts = [
    frontMatter('docs/openapi.json'),
    `# ${tag}`,
    description,
    note,
    operations.length > 1 ? overviewOf(operations) : undefined,
    ...operations.flatMap((operation) => operationParts(operation, api)),
    ...objectParts(operations, api),
  ];
  return `${parts.filter((part) => part !== undefined).join('\n\n')}\n`;
}

/** Deletion comes last in a resource's lifecycle. */
function inReadingOrder(operations: readonly Operation[]): Operation[] {
  const groups = Map.groupBy(operations, ({ path }) => /^\/v1\/(?:webhooks\/)?[\w-]+/.exec(path)?.[0]);
  return [...groups.values()].flatMap((group) => [
    ...group.filter(({ method }) => method !== 'DELETE'),
    ...group.filter(({ method }) => method === 'DELETE'),
  ]);
}

function overviewOf(operations: readonly Operation[]): string {
  return table([
    ['Operation', 'Request'],
    ...operations.map((operation): Row => [
      `[${operation.summary}](#${slug(operation.summary)})`,
      `\`${routeOf(operation)}\``,
    ]),
  ]);
}

function routeOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function operationParts(operation: Operation, api: OpenApi): (string | undefined)[] {
  const scope = scopeOf(operation);
  return [
    `## ${operation.summary}`,
    `\`${routeOf(operation)}\` · ${scope === undefined ? 'no API key' : `scope \`${scope}\``}`,
    operation.description.replace(/(?:^|\n\n)Requires (?:the `[\w:-]+` scope|no API key)\.$/, '') ||
      undefined,
    ...parameterParts(operation, api),
    ...bodyParts(operation, api),
    '**Request**',
    `\`\`\`sh\n${curlExample(operation, api)}\n\`\`\``,
    fileSentence(operation),
    ...successesOf(operation).flatMap(([status, response]) => responseParts(status, response, api)),
    errorSentence(operation, api),
  ];
}

function parameterParts({ parameters = [] }: Operation, api: OpenApi): string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter): Row => {
    const { name, required = false, schema, description = '' } = parameter;
    return [
      `\`${name}\``,
      parameter.in,
      typeOf(schema, api.schemas),
      required ? 'yes' : '',
      meaningOf({ ...schema, description }, contextOf(api), name),
    ];
  });
  return [table([['Parameter', 'In', 'Type', 'Required', 'Meaning'], ...rows])];
}

function bodyParts({ requestBody }: Operation, api: OpenApi): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  const rows = fieldsOf(schema, contextOf(api)).map(({ path, type, isRequired, meaning }): Row => [
    `\`${path}\``,
    type,
    isRequired ? 'yes' : '',
    meaning,
  ]);
  return [table([['Field of the body', 'Type', 'Required', 'Meaning'], ...rows])];
}

function fileSentence(operation: Operation): string | undefined {
  const [, response] = successesOf(operation)[0] ?? [];
  const isEither = response?.content?.['application/json'] && mayReturnFile(operation);
  if (!isEither) return undefined;
  return `For the file itself, send \`Accept: application/pdf\` instead and add \`-o ${fileName(operation)}\`.`;
}

/** Media types that do not identify a file format. */
const NOT_A_FILE_TYPE = ['application/json', 'application/octet-stream'];

function responseParts(
  status: string,
  { description, content = {}, headers = {} }: Operation['responses'][string],
  api: OpenApi,
): string[] {
  const json = content['application/json'];
  const files = Object.keys(content).filter((type) => !NOT_A_FILE_TYPE.includes(type));
  const own = Object.keys(headers).filter((name) => !/^(?:X-Request-Id|RateLimit-)/.test(name));
  const what = json ? linkToObject(json.schema, description, api) : description;
  const types = files.length === 0 ? '' : ` File types: ${files.map((type) => `\`${type}\``).join(', ')}.`;
  return [
    `**Response ${status}** · ${what}${types}`,
    ...(json?.example === undefined ? [] : [`\`\`\`json\n${jsonText(json.example)}\n\`\`\``]),
    ...(own.length === 0
      ? []
      : [own.map((name) => `- Header \`${name}\`: ${api.headers[name]?.description}`).join('\n')]),
  ];
}

function linkToObject(schema: Schema, description: string, api: OpenApi): string {
  const name = nameOf(schema);
  if (name === undefined) return description;
  const entry = entryOf(name, api);
  if (entry !== undefined) return `a [page](pagination.md) of ${linkTo(entry, 'objects')}`;
  return api.schemas[name]?.description === description ? linkTo(name) : `${linkTo(name)}: ${description}`;
}

function linkTo(name: string, noun = 'object'): string {
  return `[${name} ${noun}](#${slug(`${name} object`)})`;
}

/** Returns the schema of a page's entries; undefined for any other schema. */
function entryOf(name: string, { schemas }: OpenApi): string | undefined {
  return name.endsWith('List') ? nameOf(schemas[name]?.properties?.['data']?.items) : undefined;
}

function errorSentence(operation: Operation, api: OpenApi): string {
  const common = commonErrors(operation, api);
  const own = errorsOf(operation).filter(({ code }) => !common.has(code));
  const links = own.map(({ code, status }) => `[\`${code}\`](../errors.md#${code}) (${status})`);
  const others = '[errors common to all requests](errors-and-retries.md#errors-common-to-all-requests)';
  return links.length === 0
    ? `**Errors** · only the ${others}.`
    : `**Errors** · ${links.join(', ')}, and the ${others}.`;
}

/** Describes each object in the responses, once. */
function objectParts(operations: readonly Operation[], api: OpenApi): string[] {
  const names = new Set(
    operations.flatMap((operation) =>
      successesOf(operation).flatMap(([, { content = {} }]) =>
        namesOfObjects(content['application/json']?.schema, api),
      ),
    ),
  );
  if (names.size === 0) return [];
  const described = new Map<string, readonly Field[]>();
  const parts = [...names].flatMap((name) => {
    const schema = api.schemas[name] ?? {};
    const fields = fieldsOf(schema, contextOf(api));
    const text = fieldsText(fields, described);
    described.set(name, fields);
    return [`### ${name} object`, ...(schema.description === undefined ? [] : [schema.description]), text];
  });
  return ['## Objects', ...parts];
}

function namesOfObjects(schema: Schema | undefined, api: OpenApi): string[] {
  const name = nameOf(schema);
  return name === undefined ? [] : [entryOf(name, api) ?? name];
}

/** With fewer fields in common, a link to another table is not worthwhile. */
const MANY = 4;

/** Returns an object's table, or its differences from a table above. */
function fieldsText(fields: readonly Field[], described: ReadonlyMap<string, readonly Field[]>): string {
  for (const [name, others] of described) {
    const known = new Map(others.map((field) => [field.path, JSON.stringify(field)]));
    const shared = fields.filter(({ path }) => known.has(path));
    const isSame = shared.every((field) => known.get(field.path) === JSON.stringify(field));
    if (!isSame || shared.length < MANY) continue;
    const paths = new Set(fields.map(({ path }) => path));
    const missing = others
      .filter(({ path }) => !paths.has(path) && !path.includes('.'))
      .map(({ path }) => `\`${path}\``);
    const rest = fields.filter(({ path }) => !known.has(path));
    const link = `The fields of the ${linkTo(name)}`;
    const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
    return rest.length === 0 ? `${link}${without}.` : `${link}${without}, and:\n\n${fieldTable(rest)}`;
  }
  return fieldTable(fields);
}

function fieldTable(fields: readonly Field[]): string {
  return table([
    ['Field', 'Type', 'Meaning'],
    ...fields.map(({ path, type, isRequired, meaning }): Row => [
      `\`${path}\``,
      isRequired ? type : `${type}, may be absent`,
      meaning,
    ]),
  ]);
}
