import type { TemplateEntry } from '@trifold/client';
import { DataTable, type Column } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Time } from '../components/content/time.tsx';
import { usePagedList } from '../loading/paged-list.ts';
import { emails as messages } from '../messages/emails.ts';
import { useSession } from '../session/session.ts';
import { useFilters } from '../shell/address.ts';
import { NameFilter } from '../templates/list/name-filter.tsx';

const COLUMNS: readonly Column<TemplateEntry>[] = [
  {
    label: messages.template,
    isHeading: true,
    cell: ({ id, name }) => <a href={`/dashboard/emails/${encodeURIComponent(id)}`}>{name}</a>,
  },
  { label: messages.description, cell: ({ description }) => description ?? '' },
  { label: messages.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
];

/** Templates with email parts. */
export function EmailsPage() {
  const { client, allows } = useSession();
  const mayWrite = allows('templates:write');
  const filters = useFilters('q');
  const { q } = filters.filter;
  const list = usePagedList<TemplateEntry>(
    async (cursor, signal) => client.templates.page({ cursor, q, email: true }, { signal }),
    [q],
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <NameFilter {...filters.field('q')} />
      <DataTable
        label={messages.title}
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={mayWrite ? `${messages.empty} ${messages.emptyHint}` : messages.empty}
        emptyAction={mayWrite && { href: '/dashboard/templates', children: messages.toTemplates }}
        filters={filters}
        noMatch={messages.noMatch}
      />
    </Page>
  );
}
