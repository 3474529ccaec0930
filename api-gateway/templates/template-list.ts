import type { Template, TemplateState } from '@trifold/crds';
import type { SharedCursorSealer } from './cursor-key.ts';
import type { Position } from './cursor.ts';
import type { TemplatePage } from './template-body.ts';
import { createdAtOf, entryOf } from './template-mapping.ts';
import type { TemplateRepository } from './template-repository.ts';

/** Query of GET /v1/templates. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: TemplateState;
}

/** One page of an account's templates, newest first. Throws ApiError `invalid_cursor`. */
export async function listTemplates(
  services: { readonly templates: TemplateRepository; readonly cursors: SharedCursorSealer },
  account: string,
  query: ListQuery,
): Promise<TemplatePage> {
  const sealer = await services.cursors.get();
  const list = `templates/${account}/${query.status ?? ''}`;
  const after = query.cursor === undefined ? undefined : sealer.open(list, query.cursor);
  const all = await services.templates.list(account, query.status);
  const sorted = all.map(placed).sort((left, right) => newestFirst(left.position, right.position));
  const rest = after ? sorted.filter((candidate) => newestFirst(candidate.position, after) > 0) : sorted;
  const page = rest.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = rest.length > page.length;
  return {
    data: page.map(({ template }) => entryOf(template)),
    pagination: {
      has_more: hasMore,
      next_cursor: hasMore && last ? sealer.seal(list, last.position) : null,
      total_count: all.length,
    },
  };
}

interface Placed {
  readonly template: Template;
  readonly position: Position;
}

function placed(template: Template): Placed {
  return { template, position: { createdAt: createdAtOf(template).getTime(), id: template.metadata.name } };
}

/** Names are unique in an account, so no two positions are equal. */
function newestFirst(left: Position, right: Position): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
}
