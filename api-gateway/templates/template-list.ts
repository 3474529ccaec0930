import type { TemplateState } from '@trifold/crds';
import type { SharedCursorSealer } from './cursor-key.ts';
import type { Position } from './cursor.ts';
import type { TemplatePage } from './template-body.ts';
import { newestFirst, type PlacedEntry, type TemplateDirectory } from './template-directory.ts';

/** Query of GET /v1/templates. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: TemplateState;
}

/** One page of an account's templates, newest first. Throws ApiError `invalid_cursor`. */
export async function listTemplates(
  services: { readonly directory: TemplateDirectory; readonly cursors: SharedCursorSealer },
  account: string,
  query: ListQuery,
): Promise<TemplatePage> {
  const sealer = await services.cursors.get();
  const list = `templates/${account}/${query.status ?? ''}`;
  const after = query.cursor === undefined ? undefined : sealer.open(list, query.cursor);
  const all = withStatus(await services.directory.list(account), query.status);
  const start = after ? firstBehind(all, after) : 0;
  const page = all.slice(start, start + query.limit);
  const last = page.at(-1);
  const hasMore = all.length > start + page.length;
  return {
    data: page.map(({ entry }) => entry),
    pagination: {
      has_more: hasMore,
      next_cursor: hasMore && last ? sealer.seal(list, last.position) : null,
      total_count: all.length,
    },
  };
}

function withStatus(all: readonly PlacedEntry[], status: TemplateState | undefined): readonly PlacedEntry[] {
  return status === undefined ? all : all.filter(({ entry }) => entry.status === status);
}

/** Index of the first entry that comes after the position, by bisection. */
function firstBehind(sorted: readonly PlacedEntry[], position: Position): number {
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
