import { forbidden, notSupported, type FieldError } from '../objects/field-error.ts';
import { badRequest, invalidObject } from '../objects/status-error.ts';
import { parseFieldSelector, parseLabelSelector, type Matcher } from '../objects/selectors.ts';
import type { ServedKind } from '../served-kind.ts';

type Query = Readonly<Record<string, string>>;

/** What a list or watch selects besides its namespace. */
export interface ObjectSelection {
  /** Undefined: everything. */
  readonly matches: Matcher | undefined;
  /** The one name that can match, when the field selector says so. */
  readonly name: string | undefined;
}

/** Reads both selectors. Refuses with 400. */
export function selectionOf(kind: ServedKind, query: Query): ObjectSelection {
  const byLabel = query['labelSelector'] ? parseLabelSelector(query['labelSelector']) : undefined;
  const byField = query['fieldSelector']
    ? parseFieldSelector(query['fieldSelector'], kind.fields)
    : undefined;
  const tests = [byLabel, byField?.matches].filter((test) => test !== undefined);
  return {
    matches: tests.length === 0 ? undefined : (object) => tests.every((test) => test(object)),
    name: byField?.name,
  };
}

/** Where a page begins and which revision it shows. */
export interface PageToken {
  /** -1: whatever is current, after a token has expired. */
  readonly revision: number;
  /** The last key of the page before, below the prefix of the list. */
  readonly start: string;
}

/** Ends the key in a token, as the key that follows it would begin. */
const END = '\u0000';

/** Writes a continue token as kube-apiserver does (base64url of JSON); callers must not read it. */
export function encodeContinue({ revision, start }: PageToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: start + END })).toString(
    'base64url',
  );
}

/** Reads a continue token. Refuses with 400 what this server has not written. */
export function decodeContinue(token: string): PageToken {
  try {
    const { v, rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    if (v === 'meta.k8s.io/v1' && Number.isSafeInteger(rv) && typeof start === 'string')
      return { revision: rv as number, start: start.endsWith(END) ? start.slice(0, -1) : start };
  } catch {
    // Not base64 of JSON: refused below.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

export interface ListOptions {
  /** Undefined: no limit. */
  readonly limit: number | undefined;
  readonly page: PageToken | undefined;
  /** The revision asked for exactly; undefined: the current one. */
  readonly exactly: number | undefined;
  /** The answer may not be older than this. */
  readonly notBefore: number;
}

/** Reads `limit`, `continue`, `resourceVersion` and `resourceVersionMatch`. Refuses with 400 or 422. */
export function listOptionsOf(query: Query): ListOptions {
  const match = query['resourceVersionMatch'] ?? '';
  checkVersionMatch(query, match);
  wholeNumber(query['timeoutSeconds'], 'timeoutSeconds');
  const limit = positive(wholeNumber(query['limit'], 'limit'));
  const version = versionOf(query);
  // A page of a given version without a match is exact, for the sake of old clients (KEP-2340).
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

/** `resourceVersion`; 0 when it is left out. Refuses with 400 what is no version. */
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
  refuseOptions(errors);
}

export function refuseOptions(errors: readonly FieldError[]): void {
  if (errors.length > 0)
    throw invalidObject({ group: 'meta.k8s.io', resource: 'ListOptions', name: '' }, errors);
}

/** A whole number from the query; undefined when it is not there. Refuses with 400. */
export function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^-?\d{1,16}$/.test(text)) throw badRequest(`${name}: ${JSON.stringify(text)} is not a whole number`);
  return Number(text);
}
