import type { Page } from '@trifold/client';
import { useMemo } from 'preact/hooks';
import { useAction } from './action.ts';
import { useReloadWhile } from './reload-while.ts';
import { useResource } from './resource.ts';

/** A list that loads page by page. */
export interface PagedList<Entry> {
  /** Undefined until the first page is loaded. */
  readonly entries: readonly Entry[] | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Whether another page is loading. */
  readonly loadingMore: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** Reloads the pages shown. */
  readonly reload: () => void;
}

/** The loaded part of a list. */
interface Loaded<Entry> {
  readonly entries: readonly Entry[];
  /** Cursor of the next page; null after the last page. */
  readonly cursor: string | null;
}

/** Loads the first page when the list is shown and when one of `inputs` changes, and more pages on demand. */
export function usePagedList<Entry>(
  load: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Entry>>,
  inputs: readonly unknown[] = [],
): PagedList<Entry> {
  const shown = useMemo(() => ({ pages: 1 }), inputs);
  const list = useResource(async (signal) => {
    let loaded = join([], await load(undefined, signal));
    for (let pages = 1; pages < shown.pages && loaded.cursor !== null; pages += 1) {
      loaded = join(loaded.entries, await load(loaded.cursor, signal));
    }
    return loaded;
  }, inputs);
  const more = useAction(async () => {
    let start: Loaded<Entry> | undefined;
    let next: Page<Entry>;
    do {
      start = list.value.value;
      if (!start || start.cursor === null) return;
      next = await load(start.cursor, undefined);
      // Retries if a reload has replaced the entries that this page was to follow.
    } while (start !== list.value.value);
    shown.pages += 1;
    list.set(join(start.entries, next));
  });
  const loaded = list.value.value;
  return {
    entries: loaded?.entries,
    error: list.error.value ?? more.error.value,
    loading: list.loading.value || more.running.value,
    loadingMore: more.running.value,
    hasMore: loaded !== undefined && loaded.cursor !== null,
    loadMore: more.run,
    reload: list.reload,
  };
}

function join<Entry>(entries: readonly Entry[], { data, pagination }: Page<Entry>): Loaded<Entry> {
  return { entries: [...entries, ...data], cursor: pagination.next_cursor };
}

/** A paged list that reloads periodically, more often while an entry may change soon. `inputs`: see usePagedList. */
export function useLiveList<Entry>(
  load: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Entry>>,
  isUnfinished: (entry: Entry) => boolean,
  inputs: readonly unknown[],
): PagedList<Entry> {
  const list = usePagedList(load, inputs);
  useReloadWhile(true, list.reload);
  useReloadWhile(list.entries?.some(isUnfinished) ?? false, list.reload);
  return list;
}
