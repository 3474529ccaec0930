import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { workPageSize } from '@trifold/platform/records/usage/work-usage.ts';
import type { CountedKind, FinishedWork, WorkName } from './finished-work.ts';

/** Fewer are read one by one: an account may have very many finished jobs of which only these are due. */
const FEWEST_TO_LIST = 50;
/**
 * The oldest names come first in a list, and they are the due ones. So the pages that can hold all of them, and one
 * more, usually contain them. The rest is read one by one.
 */
const MORE_PAGES = 1;
const CONCURRENT_GETS = 8;

/**
 * Returns the work that exists and is due now, according to the API server. A cache is not enough: it may still hold
 * work that was counted and deleted a moment ago. If there is much work, one or two lists look for the oldest.
 */
export async function lookUp(
  kind: CountedKind,
  account: string,
  due: readonly WorkName[],
  signal: AbortSignal,
): Promise<FinishedWork[]> {
  const wanted = new Set(due.map(({ uid }) => uid));
  const isMany = due.length >= FEWEST_TO_LIST;
  const listed = isMany ? await firstPages(kind, account, wanted, signal) : new Map<string, FinishedWork>();
  const found = due.flatMap(({ uid }) => listed.get(uid) ?? []);
  const missing = due.filter(({ uid }) => !listed.has(uid));
  await inParallel(missing, CONCURRENT_GETS, async ({ name }) => {
    const work = await kind.find(account, name, signal);
    if (work && wanted.has(work.uid)) found.push(work);
  });
  return found;
}

async function firstPages(
  kind: CountedKind,
  account: string,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Map<string, FinishedWork>> {
  const found = new Map<string, FinishedWork>();
  const pageSize = workPageSize(kind.kind);
  const pages = Math.ceil(wanted.size / pageSize) + MORE_PAGES;
  for await (const work of kind.list(account, pages * pageSize, signal)) {
    if (wanted.has(work.uid)) found.set(work.uid, work);
    if (found.size === wanted.size) break;
  }
  return found;
}
