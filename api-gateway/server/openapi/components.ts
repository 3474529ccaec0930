/** A JSON object of the document. */
export interface JsonObject {
  [name: string]: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAPS_OF_SCHEMAS = ['properties'];
const LISTS_OF_SCHEMAS = ['anyOf', 'oneOf', 'allOf'];
const SCHEMAS = ['items', 'additionalProperties'];
/** Keywords used only by this service's validators. */
const OF_THE_SERVICE = ['x-pattern-message', 'x-kubernetes-preserve-unknown-fields'];

/** Returns a schema with `change` applied to every nested schema. */
function withInner(schema: JsonObject, change: (inner: unknown) => unknown): JsonObject {
  const changed = (name: string, value: unknown): unknown => {
    if (SCHEMAS.includes(name)) return change(value);
    if (LISTS_OF_SCHEMAS.includes(name)) return (value as unknown[]).map(change);
    if (!MAPS_OF_SCHEMAS.includes(name)) return value;
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [key, change(inner)]),
    );
  };
  const kept = Object.entries(schema).filter(([name]) => !OF_THE_SERVICE.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, changed(name, value)]));
}

/**
 * Named schemas of the document: a schema with a `title` is defined once under that name and referenced everywhere
 * else.
 */
export class NamedSchemas {
  readonly #byName = new Map<string, JsonObject>();

  /**
   * Returns the schema with each named schema, including itself, replaced with a reference. Throws when one name has
   * two different schemas.
   */
  refer(schema: unknown): unknown {
    if (!isObject(schema)) return schema;
    const { title, ...rest } = withInner(schema, (inner) => this.refer(inner));
    if (typeof title !== 'string') return rest;
    const { type } = rest;
    if (!Array.isArray(type) || !type.includes('null')) return this.#keep(title, rest);
    const others = type.filter((name) => name !== 'null');
    const named = this.#keep(title, { ...rest, type: others.length === 1 ? others[0] : others });
    return { anyOf: [named, { type: 'null' }] };
  }

  /** Returns all schemas, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #keep(name: string, schema: JsonObject): JsonObject {
    const known = this.#byName.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the title ${name}`);
    }
    this.#byName.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }
}

/** Names of the errors that are identical on nearly every route. */
const NAMES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  408: 'RequestTimeout',
  413: 'BodyTooLarge',
  414: 'UriTooLong',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};

/** Named responses of the document: for each status in NAMES, the first variant is defined once. */
export class NamedResponses {
  readonly #byName = new Map<string, JsonObject>();

  /**
   * Returns a reference to the response, or the response itself if its status has no name or it differs from the named
   * one.
   */
  refer(status: number, response: JsonObject): JsonObject {
    const name = NAMES[status];
    if (name === undefined) return response;
    const known = this.#byName.get(name) ?? response;
    if (JSON.stringify(known) !== JSON.stringify(response)) return response;
    this.#byName.set(name, known);
    return { $ref: `#/components/responses/${name}` };
  }

  /** Returns all responses, sorted by name. */
  all(): JsonObject {
    return Object.fromEntries([...this.#byName].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}
