import type { Generation, Page } from '@trifold/client';
import { usePagedList, type PagedList } from '../shell/paged-list.ts';
import { useReloadWhile } from '../shell/reload-while.ts';
import { isUnfinished } from './work-parts.tsx';

/** Entries per page. */
export const PAGE_SIZE = 50;

/** A list that updates by itself while it shows only its first page. */
export interface LiveList<Entry> extends PagedList<Entry> {
  readonly isPaused: boolean;
}

/** Loads a list of documents or batches again and again; more often while something in it is unfinished. */
export function useLiveList<Entry extends Pick<Generation, 'status'>>(
  load: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Entry>>,
  inputs: readonly unknown[],
): LiveList<Entry> {
  const list = usePagedList(load, inputs);
  const { entries = [] } = list;
  const isPaused = entries.length > PAGE_SIZE;
  useReloadWhile(!isPaused, list.reload);
  useReloadWhile(!isPaused && entries.some(isUnfinished), list.reload);
  return { ...list, isPaused };
}
