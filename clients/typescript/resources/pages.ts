import type { Query, Schemas } from './schemas.ts';

/** One page of a list, newest first (interface, "Pagination envelope"). */
export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly pagination: Readonly<Schemas['Pagination']>;
}

/** Which part of a list. */
export type PageQuery = Query<'listHooks'>;

/** Every entry of a list; the next page is asked for when it is needed. */
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
