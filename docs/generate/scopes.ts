import { SCOPES } from '@trifold/crds';
import { table, type Row } from '../markdown-table.ts';
import { slug } from '../site/markdown.ts';
import { API_PAGES, isAlias } from './api-page.ts';
import { scopeOf, type OpenApi, type Operation } from './openapi-document.ts';

/** Returns the table of the scopes, with the operations that need each. */
export function scopesTable({ operations }: OpenApi): string {
  const rows = SCOPES.map((scope): Row => {
    const allowed = operations.filter((operation) => scopeOf(operation) === scope && !isAlias(operation));
    return [`\`${scope}\``, allowed.map(linkOf).join(', ')];
  });
  return table([['Scope', 'Operations'], ...rows]);
}

function linkOf({ summary, tags }: Operation): string {
  const page = API_PAGES.find(({ tag }) => tag === tags[0])?.file;
  return `[${summary}](${page}.md#${slug(summary)})`;
}
