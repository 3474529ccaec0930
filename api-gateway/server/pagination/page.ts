import { Type, type TSchema } from 'typebox';
import type { SharedCursorSealer } from './cursor-key.ts';
import type { Position } from './cursor.ts';

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
    description: 'Entries per page, 1 to 100; default 20.',
  }),
  cursor: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: '`next_cursor` of the previous page, with the same filters.',
    }),
  ),
};

/** One page of a list (interface, "Pagination envelope"). */
export interface Page<Entry> {
  data: Entry[];
  pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
}

/** Returns the schema of a page of entries; the title is its name in the documentation. */
export function pageOf<Entry extends TSchema>(entry: Entry, title: string) {
  return Type.Object(
    {
      data: Type.Array(entry),
      pagination: Type.Object(
        {
          has_more: Type.Boolean({ description: 'Whether there is a page after this one.' }),
          next_cursor: Type.Union([Type.String(), Type.Null()], {
            description: '`cursor` of the next page; null at the end.',
          }),
          total_count: Type.Integer({ minimum: 0, description: 'Number of entries on all pages.' }),
        },
        { title: 'Pagination', description: 'Position of the page in the list.' },
      ),
    },
    { title, description: 'One page of the list, newest first.' },
  );
}

/** A page of a list, as requested. */
export interface PageRequest {
  /** Account and filters: a cursor is valid for this list only. */
  readonly list: string;
  readonly limit: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/**
 * Returns one page of the entries of `all`, which are newest first. Checks the cursor before it reads anything: throws
 * ApiError `invalid_cursor`.
 */
export async function pageFrom<Entry>(
  cursors: SharedCursorSealer,
  { list, limit, cursor }: PageRequest,
  all: () => Promise<readonly Placed<Entry>[]>,
): Promise<Page<Entry>> {
  const sealer = await cursors.get();
  const after = cursor === undefined ? undefined : sealer.open(list, cursor);
  const entries = await all();
  const start = after ? firstBehind(entries, after) : 0;
  const page = entries.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = entries.length > start + page.length;
  return {
    data: page.map(({ entry }) => entry),
    pagination: {
      has_more: hasMore,
      next_cursor: hasMore && last ? sealer.seal(list, last.position) : null,
      total_count: entries.length,
    },
  };
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
