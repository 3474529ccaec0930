import type { TemplateState } from '@trifold/crds';
import type { SharedCursorSealer } from '../server/pagination/cursor-key.ts';
import { pageFrom } from '../server/pagination/page.ts';
import type { TemplatePage } from './template-body.ts';
import type { PlacedEntry, TemplateCache } from './template-cache.ts';

/** Query of GET /v1/templates. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly status?: TemplateState;
}

/** Returns one page of an account's templates, newest first. Throws ApiError `invalid_cursor`. */
export async function listTemplates(
  services: { readonly directory: TemplateCache; readonly cursors: SharedCursorSealer },
  account: string,
  query: ListQuery,
): Promise<TemplatePage> {
  const { status, ...page } = query;
  const list = `templates/${account}/${status ?? ''}`;
  return pageFrom(services.cursors, { list, ...page }, async () =>
    withStatus(await services.directory.list(account), status),
  );
}

function withStatus(all: readonly PlacedEntry[], status: TemplateState | undefined): readonly PlacedEntry[] {
  return status === undefined ? all : all.filter(({ entry }) => entry.status === status);
}
