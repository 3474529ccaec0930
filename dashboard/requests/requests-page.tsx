import type { RequestEntry, RequestQuery } from '@trifold/client';
import { Badge } from '../components/content/badge.tsx';
import { DataTable, type Column } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Time } from '../components/content/time.tsx';
import { useCopy } from '../components/content/use-copy.ts';
import { Button } from '../components/controls/button.tsx';
import { Field } from '../components/controls/field.tsx';
import { Filters, SearchInput, SelectFilter } from '../components/controls/filters.tsx';
import { formatMilliseconds } from '../components/format.ts';
import { useTemplateNames, type TemplateNames } from '../documents/template-names.ts';
import { Nothing, OneLine, TemplateName, WorkLink } from '../documents/work-parts.tsx';
import { usePagedList } from '../loading/paged-list.ts';
import { requests as messages } from '../messages/requests.ts';
import { text } from '../messages/text.ts';
import { useSession } from '../session/session.ts';
import { useFilters } from '../shell/address.ts';
import workStyles from '../documents/documents.module.css';
import styles from './requests.module.css';

/** Number of entries per page. */
const PAGE_SIZE = 50;

/** The request log, with filters kept in the URL. */
export function RequestsPage() {
  const { client } = useSession();
  const filters = useFilters('outcome', 'request_id');
  const { outcome, request_id } = filters.filter;
  const templates = useTemplateNames();
  const list = usePagedList<RequestEntry>(
    async (cursor, signal) =>
      client.requests.page(
        { outcome: outcome as RequestQuery['outcome'], request_id, cursor, limit: PAGE_SIZE },
        { signal },
      ),
    [outcome, request_id],
  );
  return (
    <Page title={messages.title} lead={messages.lead}>
      <Filters>
        <SelectFilter
          {...filters.field('outcome')}
          label={messages.outcome}
          options={Object.entries(messages.outcomes)}
        />
        <Field label={messages.requestId} hint={messages.requestIdHint}>
          <SearchInput {...filters.field('request_id')} maxLength={100} />
        </Field>
      </Filters>
      <div class={workStyles.wide}>
        <DataTable
          label={messages.title}
          list={list}
          columns={columnsOf(templates)}
          rowKey={({ request_id: id }) => id}
          empty={messages.empty}
          filters={filters}
          noMatch={messages.emptyFiltered}
        />
      </div>
    </Page>
  );
}

function columnsOf(templates: TemplateNames): Column<RequestEntry>[] {
  return [
    {
      label: messages.request,
      isHeading: true,
      cell: ({ method, route }) => (
        <code class={styles.route}>
          {method} {wrappable(route)}
        </code>
      ),
    },
    { label: messages.status, cell: (request) => <Status request={request} /> },
    { label: messages.resource, cell: (request) => <Resource request={request} /> },
    {
      label: messages.template,
      cell: ({ template_id }) =>
        template_id === null ? <Nothing /> : <TemplateName id={template_id} templates={templates} />,
    },
    { label: messages.key, cell: ({ key_id, key_name }) => <OneLine text={key_name ?? key_id} /> },
    { label: messages.time, cell: ({ created_at }) => <Time at={created_at} /> },
    {
      label: messages.duration,
      cell: ({ duration_ms }) => <span class={styles.duration}>{formatMilliseconds(duration_ms)}</span>,
    },
    { label: messages.requestId, cell: ({ request_id }) => <RequestId id={request_id} /> },
  ];
}

function Status({ request: { status, code } }: { readonly request: RequestEntry }) {
  return (
    <span class={styles.status}>
      <Badge kind={status < 400 ? 'success' : 'danger'}>{status}</Badge>
      {code !== null && <code>{wrappable(code)}</code>}
    </span>
  );
}

/** Lets a route or an error code wrap after a slash or an underscore. */
function wrappable(whole: string) {
  return whole.split(/(?<=[/_])/).flatMap((part) => [part, <wbr key={part} />]);
}

/** Lists with a page for each entry, by the start of the route; a batch's route also starts like a document's. */
const LISTS = [
  ['/v1/generate/batch', '/dashboard/batches'],
  ['/v1/generate', '/dashboard/documents'],
  ['/v1/templates', '/dashboard/templates'],
  ['/v1/webhooks/deliveries', '/dashboard/webhooks/deliveries'],
] as const;

/** The resource of a request, with a link if it has a page. */
function Resource({ request: { route, method, resource_id: id } }: { readonly request: RequestEntry }) {
  if (id === null) return <Nothing />;
  const [, list] = LISTS.find(([start]) => route.startsWith(start)) ?? [];
  return list === undefined || method === 'DELETE' ? <OneLine text={id} /> : <WorkLink id={id} list={list} />;
}

function RequestId({ id }: { readonly id: string }) {
  const { element, state, copy } = useCopy<HTMLElement>(id);
  const isDone = state.value === 'copied';
  return (
    <span class={styles.id}>
      <code ref={element} title={id}>
        {id}
      </code>
      <Button
        kind="quiet"
        icon={isDone ? 'check' : 'copy'}
        aria-label={messages.copyOne(id)}
        onClick={() => void copy()}
      />
      <span class="visually-hidden" aria-live="polite">
        {state.value === 'copy' ? '' : text.common[state.value]}
      </span>
    </span>
  );
}
