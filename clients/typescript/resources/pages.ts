/** One page of a list, newest first (interface, "Pagination envelope"). */
export interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly pagination: {
    readonly has_more: boolean;
    /** For the next page; null at the end. */
    readonly next_cursor: string | null;
    /** Entries on all pages. */
    readonly total_count: number;
  };
}

/** Which part of a list. */
export interface PageQuery {
  /** Entries on a page, 1 to 100. @default 20 */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

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
