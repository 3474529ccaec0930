import { forbidden, notSupported, type FieldError } from '../objects/field-error.ts';
import { badRequest, invalidObject } from '../objects/status-error.ts';
import { parseFieldSelector, parseLabelSelector, type Matcher } from '../objects/selectors.ts';
import type { ServedKind } from '../served-kind.ts';

type Query = Readonly<Record<string, string>>;

/** Selectors for a list or watch. */
export interface ObjectSelection {
  /** Undefined matches everything. */
  readonly matches: Matcher | undefined;
  /** Whether `matches` may read the spec, which is the largest part of most objects. */
  readonly readsSpec: boolean;
  /** The only name that can match, if the field selector requires one. */
  readonly name: string | undefined;
}

/** Reads the label selector and the field selector. Throws StatusError 400. */
export function selectionOf(kind: ServedKind, query: Query): ObjectSelection {
  const byLabel = query['labelSelector'] ? parseLabelSelector(query['labelSelector']) : undefined;
  const byField = query['fieldSelector']
    ? parseFieldSelector(query['fieldSelector'], kind.fields)
    : undefined;
  const tests = [byLabel, byField?.matches].filter((test) => test !== undefined);
  return {
    matches: tests.length === 0 ? undefined : (object) => tests.every((test) => test(object)),
    readsSpec: query['fieldSelector']?.includes('spec.') ?? false,
    name: byField?.name,
  };
}

/** Start key and revision of a page. */
export interface PageToken {
  readonly revision: number;
  /** The last key of the previous page, relative to the prefix of the list. */
  readonly start: string;
}

/** Suffix of the key in a token: the key with this suffix is the smallest possible next key. */
const END = '\u0000';

/** Encodes a continue token as kube-apiserver does (base64url of JSON). The token is opaque to callers. */
export function encodeContinue({ revision, start }: PageToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: start + END })).toString(
    'base64url',
  );
}

/** Decodes a continue token. Throws StatusError 400 for a token that is not from this server. */
export function decodeContinue(token: string): PageToken {
  try {
    const { v, rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    if (v === 'meta.k8s.io/v1' && Number.isSafeInteger(rv) && typeof start === 'string')
      return { revision: rv as number, start: start.endsWith(END) ? start.slice(0, -1) : start };
  } catch {
    // Not base64-encoded JSON: fails below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

export interface ListOptions {
  /** Undefined means no limit. */
  readonly limit: number | undefined;
  readonly page: PageToken | undefined;
  /** The exact revision to list; undefined for the current one. */
  readonly exactly: number | undefined;
  /** The oldest revision that the response may show. */
  readonly notBefore: number;
}

/** Reads `limit`, `continue`, `resourceVersion` and `resourceVersionMatch`. Throws StatusError 400 or 422. */
export function listOptionsOf(query: Query): ListOptions {
  const match = query['resourceVersionMatch'] ?? '';
  checkVersionMatch(query, match);
  wholeNumber(query['timeoutSeconds'], 'timeoutSeconds');
  const limit = positive(wholeNumber(query['limit'], 'limit'));
  const version = versionOf(query);
  // A limited list at a version without `resourceVersionMatch` is an exact match, for old clients (KEP-2340).
  const exact = match === 'Exact' || (match === '' && limit !== undefined);
  return {
    limit,
    page: query['continue'] ? decodeContinue(query['continue']) : undefined,
    exactly: exact ? positive(version) : undefined,
    notBefore: version,
  };
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** Returns `resourceVersion`; 0 if omitted. Throws StatusError 400 for an invalid version. */
export function versionOf(query: Query): number {
  const version = wholeNumber(query['resourceVersion'], 'resourceVersion') ?? 0;
  if (version < 0) throw badRequest('invalid resource version: resourceVersion: it must not be negative');
  if (query['continue'] && version > 0)
    throw badRequest('specifying resource version is not allowed when using continue');
  return version;
}

function checkVersionMatch(query: Query, match: string): void {
  const errors: FieldError[] = [];
  const field = 'resourceVersionMatch';
  if (query['sendInitialEvents'] !== undefined)
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  if (match !== '') {
    if (!query['resourceVersion'])
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (query['continue'])
      errors.push(forbidden(field, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && query['resourceVersion'] === '0')
      errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  rejectOptions(errors);
}

export function rejectOptions(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw invalidObject({ group: 'meta.k8s.io', resource: 'ListOptions', name: '' }, errors);
}

/** Returns an integer query parameter; undefined if it is missing. Throws StatusError 400. */
export function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,16}$/.test(text)) throw badRequest(`${name}: ${JSON.stringify(text)} is not a whole number`);
  return Number(text);
}
