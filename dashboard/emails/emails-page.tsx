import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import type { TemplateEntry } from '@trifold/client';
import { DataTable, type Column } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { text } from '../messages/text.ts';
import { client } from '../session/client.ts';
import { usePagedList } from '../shell/paged-list.ts';

const { emails: messages } = text;
const SEARCH_DELAY_MS = 200;
const LONGEST_SEARCH = 200;

const COLUMNS: readonly Column<TemplateEntry>[] = [
  {
    label: messages.template,
    isHeading: true,
    cell: ({ id, name }) => <a href={`/dashboard/emails/${encodeURIComponent(id)}`}>{name}</a>,
  },
  { label: messages.description, cell: ({ description }) => description ?? '' },
  { label: messages.updated, cell: ({ updated_at }) => <Time at={updated_at} /> },
];

/** The templates, of which one makes the email. The list of the API does not tell which ones have email parts. */
export function EmailsPage() {
  const search = useSignal('');
  const list = usePagedList<TemplateEntry>(
    async (cursor, signal) => client.templates.page({ cursor, q: search.value || undefined }, { signal }),
    [search.value],
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <Search search={search} />
      <DataTable
        label={messages.title}
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<p>{search.value === '' ? messages.empty : messages.noMatch}</p>}
      />
    </Page>
  );
}

/** Part of the name. The list loads when the person pauses. */
function Search({ search }: { readonly search: Signal<string> }) {
  const typed = useSignal('');
  useSignalEffect(() => {
    const wanted = typed.value.trim();
    const timer = setTimeout(() => void (search.value = wanted), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  });
  return (
    <form class="row" role="search" onSubmit={(event) => event.preventDefault()}>
      <Field label={text.common.search}>
        <input
          type="search"
          maxLength={LONGEST_SEARCH}
          autocomplete="off"
          placeholder={messages.searchHint}
          onInput={({ currentTarget }) => void (typed.value = currentTarget.value)}
        />
      </Field>
    </form>
  );
}
