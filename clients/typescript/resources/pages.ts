import type { Query, Schemas } from './schemas.ts';

/** One page of a list, newest first (interface, "Pagination envelope"). */
export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly pagination: Readonly<Schemas['Pagination']>;
}

/** Page of a list, and a text to search for. */
export type PageQuery = Query<'listHooks'>;

/** Iterates over all entries of a list; loads the next page on demand. */
export async function* everyEntry<Entry>(
  pageAt: (cursor: string | undefined) => Promise<Page<Entry>>,
  first: string | undefined,
): AsyncGenerator<Entry, void, undefined> {
  for (let cursor = first; ;) {
    const { data, pagination } = await pageAt(cursor);
    yield* data;
    if (pagination.next_cursor === null) return;
    cursor = pagination.next_cursor;
  }
}
