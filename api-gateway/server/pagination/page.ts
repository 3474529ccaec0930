import { createHash } from 'node:crypto';
import { timeOfId, type KubernetesObject } from '@trifold/crds';
import { Type, type TSchema } from 'typebox';
import { nullable } from '../http/route-schemas.ts';
import { ApiError } from '../errors/api-error.ts';

/**
 * Sort key of an entry. A cursor contains the last entry's position, so that it remains valid while entries are added
 * and removed.
 */
export interface Position {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly id: string;
}

/** An entry of a list, as the API shows it, and its position in the list. */
export interface Placed<Entry> {
  readonly entry: Entry;
  readonly position: Position;
}

/** Query parameters of every list (interface, "Limits": 1 to 100, default 20). */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 20,
    description: 'Entries per page.',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: '`next_cursor` from the previous page, sent with the same filters.',
    }),
  ),
};

/** One page of a list (interface, "Pagination envelope"). */
export interface Page<Entry> {
  data: Entry[];
  pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

/** Returns the schema for a page of entries; the title is its name in the documentation. */
export function pageOf<Entry extends TSchema>(entry: Entry, title: string) {
  return Type.Object(
    {
      data: Type.Array(entry),
      pagination: Type.Object(
        {
          has_more: Type.Boolean({ description: 'Whether there are more pages.' }),
          next_cursor: nullable(Type.String(), '`cursor` for the next page; null on the last page.'),
          total_count: Type.Integer({ minimum: 0, description: 'Total number of entries across all pages.' }),
        },
        { title: 'Pagination', description: 'Position of the page in the list.' },
      ),
    },
    { title, description: 'One page of the list, newest first.' },
  );
}

/** Returns an example page with only these entries. */
export function examplePage<Entry>(...data: Entry[]): Page<Entry> {
  return { data, pagination: { has_more: false, next_cursor: null, total_count: data.length } };
}

export interface PageRequest {
  /** Account and filters: a cursor is valid only for this list. */
  readonly list: string;
  readonly limit: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/**
 * Returns one page of `all`, whose entries are newest first. Checks the cursor before reading anything: throws ApiError
 * `invalid_cursor`.
 */
export async function pageFrom<Entry>(
  { list, limit, cursor }: PageRequest,
  all: () => Promise<readonly Placed<Entry>[]>,
): Promise<Page<Entry>> {
  const after = cursor === undefined ? undefined : positionOf(list, cursor);
  const entries = await all();
  const start = after ? firstBehind(entries, after) : 0;
  const page = entries.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = entries.length > start + page.length;
  return {
    data: page.map(({ entry }) => entry),
    pagination: {
      has_more: hasMore,
      next_cursor: hasMore && last ? cursorAfter(list, last.position) : null,
      total_count: entries.length,
    },
  };
}

const CHECKSUM_BYTES = 16;

/** Returns the cursor for the entries after `position` in the list called `list`. */
export function cursorAfter(list: string, { createdAt, id }: Position): string {
  const payload = Buffer.from(`${createdAt} ${id}`);
  return Buffer.concat([checksum(list, payload), payload]).toString('base64url');
}

/**
 * Returns the position of a cursor. Throws ApiError `invalid_cursor` for a cursor that was modified or belongs to
 * another list. The checksum needs no secret: a cursor only marks where a page of the caller's own list begins.
 */
export function positionOf(list: string, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(CHECKSUM_BYTES);
  const isIntact =
    bytes.toString('base64url') === cursor &&
    bytes.subarray(0, CHECKSUM_BYTES).equals(checksum(list, payload));
  if (!isIntact) {
    const message =
      'The cursor does not belong to this list. Send next_cursor from the previous page with the same filters, or omit cursor to start again.';
    throw new ApiError('invalid_cursor', message);
  }
  const [createdAt = '', id = ''] = payload.toString().split(' ');
  return { createdAt: Number(createdAt), id };
}

function checksum(list: string, payload: Buffer): Buffer {
  return createHash('sha256').update(`${list}\0`).update(payload).digest().subarray(0, CHECKSUM_BYTES);
}

/**
 * Returns the creation time of a resource: the time in its ID, or the resource's creation timestamp if it was named
 * with kubectl.
 */
export function createdAtOf({ metadata: { name, creationTimestamp } }: KubernetesObject): Date {
  return timeOfId(name) ?? new Date(creationTimestamp);
}

/** Returns the entry of a resource and its position in lists; undefined if it is being deleted. */
export function placedResource<R extends KubernetesObject, Entry>(
  resource: R,
  entryOf: (resource: R) => Entry,
): Placed<Entry> | undefined {
  const { name, deletionTimestamp } = resource.metadata;
  if (deletionTimestamp !== undefined) return undefined;
  return { entry: entryOf(resource), position: { createdAt: createdAtOf(resource).getTime(), id: name } };
}

/** Returns the entries of the resources that are not being deleted, newest first. */
export function newestEntries<R extends KubernetesObject, Entry>(
  resources: readonly R[],
  entryOf: (resource: R) => Entry,
): Placed<Entry>[] {
  return resources
    .flatMap((resource) => placedResource(resource, entryOf) ?? [])
    .sort((left, right) => newestFirst(left.position, right.position));
}

/** Compares positions, newest first. Names are unique in an account, so no two positions are equal. */
export function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
}

/** Returns the index of the first entry after the position, by binary search. */
export function firstBehind(sorted: readonly Placed<unknown>[], position: Position): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = sorted[middle];
    if (entry && newestFirst(entry.position, position) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the query parameter that searches a list by name. `what` says which entries match, without a period. */
export function nameQuery(what: string) {
  return {
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: `${what}. Case-insensitive.`,
      }),
    ),
  };
}

/**
 * Returns whether one of the names contains the search string, ignoring case. Without a search string, everything
 * matches.
 */
export function nameMatcher(q: string | undefined): (...names: readonly (string | undefined)[]) => boolean {
  if (q === undefined) return () => true;
  const wanted = folded(q);
  return (...names) => names.some((name) => name !== undefined && folded(name).includes(wanted));
}

/** Returns the name of a list for its cursors; without a search, the name is unchanged. */
export function searchedList(list: string, q: string | undefined): string {
  return q === undefined ? list : `${list}?q=${q}`;
}

/** Some systems write an accent as a separate character. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
