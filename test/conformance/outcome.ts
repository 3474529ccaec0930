import type { ApiStatus } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { JsonObject, JsonValue } from './case.ts';

/** Maximum length of a string (in characters) and of a list (in elements) that is recorded unchanged. */
const LONG = { text: 100, list: 50 };

/** The suffix of a generated name. */
const GENERATED = /(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** Event fields that none of our clients reads or writes. */
const OF_EVENTS = new Set(['eventTime', 'reportingComponent', 'reportingInstance']);

/** The values that a server chose in a case, for example versions, under server-independent names. */
export class ChosenValues {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, string>();
  readonly #namespace: string;

  constructor(namespace: string) {
    this.#values.set('$ns', namespace);
    this.#namespace = namespace;
  }

  /** Returns the name of a value. Values with the same `identity` have the same name. */
  name(what: string, value: string, identity = value): string {
    const key = `${what} ${identity}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const number = [...this.#names.keys()].filter((each) => each.startsWith(`${what} `)).length + 1;
    const name = `$${what}${number}`;
    this.#names.set(key, name);
    this.#values.set(name, value);
    return name;
  }

  /** Replaces the namespace in a string with its name. */
  withoutNamespace(text: string): string {
    return text.replaceAll(this.#namespace, '$ns');
  }

  /** Replaces the names in a string with their values. */
  fill(text: string): string {
    return text.replaceAll(/\$[a-z]+\d*/g, (name) => this.#values.get(name) ?? name);
  }
}

export interface ApiResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the parts of a response that must be the same for every API server. For an error: the code, the reason, the
 * object, and the fields and reasons of its causes. For a success: the code, the number of warnings, and the body with
 * names for chosen values.
 */
export function outcomeOf(response: ApiResponse, chosen: ChosenValues, pinned: boolean): string {
  const body = parsed(response.text);
  if (response.status >= 400) return chosen.withoutNamespace(errorOutcome(response.status, body));
  const warnings = (response.headers['warning'] ?? '').match(/299 /g)?.length ?? 0;
  const comparable = JSON.stringify(new Comparison(chosen, pinned).comparable(body));
  return chosen.withoutNamespace(
    `${response.status} ${warnings > 0 ? `${warnings} warnings ` : ''}${comparable}`,
  );
}

function errorOutcome(code: number, body: JsonValue | undefined): string {
  // For paths that are not resources, a kube-apiserver responds with plain text.
  if (!isObject(body)) return code === 404 ? '404 NotFound' : String(code);
  const { kind, status, reason, message, details } = body as unknown as ApiStatus;
  if (kind !== 'Status' || status !== 'Failure' || body['code'] !== code || !message)
    return `${code} without a complete Status`;
  const causes = (details?.causes ?? []).map((cause) => `${cause.field ?? ''}: ${cause.reason ?? ''}`);
  const name = details?.name?.replace(GENERATED, '…');
  const subject = name === undefined ? '' : ` ${details?.kind} ${name}`;
  return [`${code} ${reason}${subject}`, ...new Set(causes.sort())].join('\n      ');
}

interface Metadata extends JsonObject {
  readonly name?: string;
  readonly generateName?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
}

class Comparison {
  readonly #chosen: ChosenValues;
  /** Whether the request names the list's version; otherwise the version depends on other writes to the server. */
  readonly #pinned: boolean;

  constructor(chosen: ChosenValues, pinned: boolean) {
    this.#chosen = chosen;
    this.#pinned = pinned;
  }

  comparable(value: JsonValue | undefined): JsonValue | undefined {
    if (typeof value === 'string') return shortened(value);
    if (Array.isArray(value) && value.length > LONG.list) return `<${value.length} elements>`;
    if (Array.isArray(value)) return value.map((each) => this.comparable(each) ?? null);
    if (!isObject(value)) return value;
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      members.map(([name, member]) => [name, this.#member(name, member, value)] as const),
    );
  }

  #member(name: string, value: JsonValue | undefined, parent: JsonObject): JsonValue | undefined {
    if (name === 'metadata' && isObject(value))
      return this.#metadata(value, 'items' in parent || 'rows' in parent);
    if (OF_EVENTS.has(name)) return undefined;
    if (name === 'items' && Array.isArray(value)) return this.comparable(value.map(withoutBuiltinKind));
    // Prose, and a format that is meaningless to kubectl for these columns.
    if (name === 'description' && 'priority' in parent) return undefined;
    if (name === 'cells' && Array.isArray(value)) return value.map((cell) => (isAge(cell) ? '<age>' : cell));
    if (name === 'uid' && typeof value === 'string' && value.length === 36)
      return this.#chosen.name('uid', value);
    return this.comparable(value);
  }

  #metadata(metadata: JsonObject, ofList: boolean): JsonValue | undefined {
    const { managedFields: _, ...known } = metadata as Metadata;
    const { resourceVersion, creationTimestamp, deletionTimestamp, ...rest } = known;
    const { name, generateName, uid } = rest;
    const named = (what: string, value: string | undefined, identity?: string) =>
      value === undefined ? undefined : this.#chosen.name(what, value, identity);
    const isGenerated = generateName !== undefined && name?.startsWith(generateName.slice(0, 10));
    return this.comparable({
      ...rest,
      ...(isGenerated && { name: named('name', name) }),
      continue: named('token', rest.continue || undefined),
      // A kube-apiserver does not change the version of an object that it removes.
      ...(!ofList &&
        !(deletionTimestamp && !rest.finalizers) && {
          resourceVersion: named('version', resourceVersion),
        }),
      ...(ofList && this.#pinned && { resourceVersion: named('list', resourceVersion) }),
      creationTimestamp: named('created', creationTimestamp, `${uid} ${creationTimestamp}`),
      deletionTimestamp: named('deleted', deletionTimestamp, `${uid} ${deletionTimestamp}`),
    });
  }
}

/** List items have a kind only if it is a custom one. */
function withoutBuiltinKind(item: JsonValue): JsonValue {
  if (!isObject(item) || item['apiVersion'] === 'trifold.dev/v1alpha1') return item;
  const { apiVersion: _, kind: _kind, ...rest } = item;
  return rest;
}

function shortened(text: string): string {
  return text.length > LONG.text ? `<${text.length} characters>` : text;
}

function isAge(cell: JsonValue | undefined): boolean {
  return typeof cell === 'string' && /^(\d+[smhdy])+$/.test(cell);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
