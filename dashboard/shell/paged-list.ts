import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import type { Page } from '@trifold/client';
import { useAction } from './action.ts';
import { useResource } from './resource.ts';

/** A list that loads page by page. */
export interface PagedList<Entry> {
  /** Undefined until the first page is there. */
  readonly entries: readonly Entry[] | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  /** Loads the first page again. */
  readonly reload: () => void;
}

interface Rest<Entry> {
  /** First page that these entries follow. */
  readonly after: Page<Entry>;
  readonly entries: readonly Entry[];
  readonly cursor: string | null;
}

/** Loads the first page when the list is shown and when one of `inputs` changes, and further pages on demand. */
export function usePagedList<Entry>(
  load: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Entry>>,
  inputs: readonly unknown[] = [],
): PagedList<Entry> {
  const first = useResource(async (signal) => load(undefined, signal), inputs);
  const rest = useSignal<Rest<Entry> | undefined>(undefined);
  const page = first.value.value;
  const loaded = page && currentRest(page, rest.value);
  const more = useAction(
    useCallback(async () => {
      if (!loaded || loaded.cursor === null) return;
      const next = await load(loaded.cursor, undefined);
      const entries = [...loaded.entries, ...next.data];
      rest.value = { after: loaded.after, entries, cursor: next.pagination.next_cursor };
    }, [page, rest.value]),
  );
  return {
    entries: loaded && [...loaded.after.data, ...loaded.entries],
    error: first.error.value ?? more.error.value,
    loading: first.loading.value || more.running.value,
    hasMore: loaded !== undefined && loaded.cursor !== null,
    loadMore: more.run,
    reload: first.reload,
  };
}

/** Returns what follows the first page: nothing yet when that page is newer than the rest. */
function currentRest<Entry>(page: Page<Entry>, rest: Rest<Entry> | undefined): Rest<Entry> {
  if (rest?.after === page) return rest;
  return { after: page, entries: [], cursor: page.pagination.next_cursor };
}
