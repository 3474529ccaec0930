import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A response as a client sees it. */
export interface ObservedResponse {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  header(name: string): string | undefined;
  /** Empty for HEAD. */
  readonly text: string;
}

interface Json {
  [name: string]: Json;
}

interface Operation {
  readonly pointer: string;
  readonly responses: Json;
}

/** Headers that a response may have only if the document declares them. */
const TOLD_HEADERS = [
  'allow',
  'content-disposition',
  'content-location',
  'etag',
  'idempotency-replayed',
  'location',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
];
/** Statuses for a path or method without a route. */
const NOT_ROUTED = [404, 405];

/**
 * Checks responses against an OpenAPI document: their status, media type and headers must be declared, and JSON must
 * match its schema without undeclared fields.
 */
export class DocumentedResponses {
  readonly #document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = closed(structuredClone(document) as Json) as Json;
    formats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, 'openapi');
  }

  /** Returns the response's deviations from the document; none for an unknown route. */
  problemsOf(answer: ObservedResponse): string[] {
    const operation = this.#operationOf(answer);
    if (!operation) return [];
    const pointer = `${operation.pointer}/responses/${answer.status}`;
    const response = operation.responses[answer.status];
    if (response) return this.#problemsIn(answer, ...this.#resolved(response, pointer));
    return [`the status ${answer.status} is not documented`];
  }

  #operationOf({ method, path, status }: ObservedResponse): Operation | undefined {
    const [plain = ''] = path.split('?');
    const templates = Object.keys(this.#document['paths'] ?? {}).filter((template) =>
      new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain),
    );
    const [best] = templates.sort((left, right) => literals(right) - literals(left));
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = best === undefined ? undefined : this.#document['paths']?.[best]?.[verb];
    if (best !== undefined && operation) {
      const pointer = `/paths/${best.replaceAll('/', '~1')}/${verb}`;
      return { pointer, responses: operation['responses'] as Json };
    }
    // Malformed paths are rejected before routing.
    if (!plain.startsWith('/v1/') || NOT_ROUTED.includes(status) || status >= 400) return undefined;
    throw new Error(`${method} ${path} is not documented and was answered with ${status}`);
  }

  #resolved(response: Json, pointer: string): [Json, string] {
    const reference = response['$ref'] as unknown as string | undefined;
    if (reference === undefined) return [response, pointer];
    const target = reference.slice(1);
    const found = target
      .slice(1)
      .split('/')
      .reduce<Json | undefined>((at, part) => at?.[part], this.#document);
    if (!found) throw new Error(`${reference} is not there`);
    return [found, target];
  }

  #problemsIn(answer: ObservedResponse, response: Json, pointer: string): string[] {
    return [...this.#headerProblems(answer, response), ...this.#bodyProblems(answer, response, pointer)];
  }

  #headerProblems(answer: ObservedResponse, response: Json): string[] {
    const documented = Object.entries(response['headers'] ?? {});
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    const missing = documented
      .filter(
        ([name, header]) => this.#resolved(header, '')[0]['required'] && answer.header(name) === undefined,
      )
      .map(([name]) => `the header ${name} is missing`);
    const untold = TOLD_HEADERS.filter((name) => !names.has(name) && answer.header(name) !== undefined);
    return [...missing, ...untold.map((name) => `the header ${name} is not documented`)];
  }

  #bodyProblems(answer: ObservedResponse, response: Json, pointer: string): string[] {
    if (answer.method === 'HEAD') return [];
    const [mediaType = ''] = (answer.header('content-type') ?? '').split(';');
    const content = response['content'];
    if (!content) return answer.text === '' ? [] : ['there is a body, and none is documented'];
    if (!content[mediaType]) return [`the media type ${mediaType} is not documented`];
    if (mediaType !== 'application/json') return [];
    const schemaPointer = `${pointer}/content/${mediaType.replaceAll('/', '~1')}/schema`;
    const validate =
      this.#validators.get(schemaPointer) ?? this.#ajv.compile({ $ref: `openapi#${schemaPointer}` });
    this.#validators.set(schemaPointer, validate);
    if (validate(JSON.parse(answer.text))) return [];
    return [`the body is not as documented: ${this.#ajv.errorsText(validate.errors)}`];
  }
}

function literals(template: string): number {
  return template.split('/').filter((part) => !part.startsWith('{')).length;
}

/** Returns the document with objects closed to undeclared fields. */
function closed(value: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item as Json));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isOpen = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}
