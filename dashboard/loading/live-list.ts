import type { Page } from '@trifold/client';
import { usePagedList, type PagedList } from './paged-list.ts';
import { useReloadWhile } from './reload-while.ts';

/**
 * A paged list that reloads periodically, more often while an entry is expected to change soon. `inputs`: see
 * usePagedList.
 */
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
