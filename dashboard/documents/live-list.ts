import type { Generation, Page } from '@trifold/client';
import { usePagedList, type PagedList } from '../loading/paged-list.ts';
import { useReloadWhile } from '../loading/reload-while.ts';
import { isUnfinished } from './work-parts.tsx';

/** Loads a list of documents or batches again and again; more often while something in it is unfinished. */
export function useLiveList<Entry extends Pick<Generation, 'status'>>(
  load: (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<Entry>>,
  inputs: readonly unknown[],
): PagedList<Entry> {
  const list = usePagedList(load, inputs);
  useReloadWhile(true, list.reload);
  useReloadWhile(list.entries?.some(isUnfinished) ?? false, list.reload);
  return list;
}
