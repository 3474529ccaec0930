import type { Batch, DocumentQuery, Generation, Page as PageOf } from '@trifold/client';
import { DataTable, type Column } from '../components/content/data-table.tsx';
import { Page } from '../components/content/page.tsx';
import { Time } from '../components/content/time.tsx';
import { Field } from '../components/controls/field.tsx';
import { Filters, SearchInput, SelectFilter, type FilterField } from '../components/controls/filters.tsx';
import type { Action } from '../loading/action.ts';
import { useLiveList } from '../loading/paged-list.ts';
import { batches as batchesTexts, documents as messages } from '../messages/documents.ts';
import { preview as previewTexts } from '../messages/template-pages.ts';
import { useFilters } from '../shell/address.ts';
import { ActionError } from './problem.tsx';
import { useTemplateNames, type TemplateNames } from './template-names.ts';
import { Expiry, isUnfinished, MetadataInLine, TemplateName, WorkLink } from './work-parts.tsx';
import styles from './documents.module.css';

/** Number of entries per page. */
const PAGE_SIZE = 50;

type Work = Generation | Batch;

/** Columns shared by documents and batches. */
type WorkColumns = Readonly<
  Record<'id' | 'template' | 'format' | 'metadata' | 'created' | 'expires', Column<Work>>
>;

interface WorkListProps<Entry extends Work> {
  readonly texts: Readonly<Record<'title' | 'lead' | 'empty' | 'emptyFiltered', string>>;
  /** Path of the page. */
  readonly path: string;
  readonly load: (
    query: DocumentQuery,
    options: { readonly signal: AbortSignal | undefined },
  ) => Promise<PageOf<Entry>>;
  readonly download: Action<[Entry]>;
  readonly columns: (shared: WorkColumns, reload: () => void) => readonly Column<Entry>[];
}

/** The page of documents or batches from the last 24 hours, with filters kept in the URL. */
export function WorkList<Entry extends Work>(props: WorkListProps<Entry>) {
  const { texts, path, load, download, columns } = props;
  const filters = useFilters('status', 'template_id', 'q', 'metadata');
  const templates = useTemplateNames();
  const { status, template_id, q, metadata = '' } = filters.filter;
  const field = metadataOf(metadata);
  const query = { status: status as DocumentQuery['status'], template_id, q, metadata: field };
  const list = useLiveList<Entry>(
    async (cursor, signal) => load({ ...query, cursor, limit: PAGE_SIZE }, { signal }),
    isUnfinished,
    [JSON.stringify(query)],
  );
  return (
    <Page title={texts.title} lead={texts.lead}>
      <WorkTabs current={path} />
      <Filters isWide>
        <Field label={messages.search} hint={messages.searchHint}>
          <SearchInput {...filters.field('q')} />
        </Field>
        <SelectFilter
          {...filters.field('status')}
          label={messages.status}
          options={Object.entries(messages.states)}
        />
        <TemplateFilter {...filters.field('template_id')} templates={templates} />
        <Field
          label={messages.metadata}
          hint={messages.metadataHint}
          error={metadata === '' || field ? undefined : messages.metadataInvalid}
        >
          <SearchInput {...filters.field('metadata')} />
        </Field>
      </Filters>
      <ActionError error={download.error.value} />
      <div class={styles.wide}>
        <DataTable
          label={texts.title}
          list={list}
          columns={columns(sharedColumns(path, templates), list.reload)}
          rowKey={({ id }) => id}
          empty={texts.empty}
          emptyAction={{ href: '/dashboard/', children: messages.toStart }}
          filters={filters}
          noMatch={texts.emptyFiltered}
        />
      </div>
    </Page>
  );
}

/** A template selector, or an ID field if the page does not have all templates. */
function TemplateFilter({ templates, ...field }: FilterField & { readonly templates: TemplateNames }) {
  const { names, isComplete } = templates;
  if (!isComplete) {
    return (
      <Field label={messages.templateId}>
        <SearchInput {...field} />
      </Field>
    );
  }
  const { value = '' } = field;
  const options = value === '' || names.has(value) ? names : [[value, value] as const, ...names];
  return <SelectFilter {...field} label={messages.template} options={options} />;
}

/** Parses `name=value`. Undefined for any other string. */
function metadataOf(written: string): Readonly<Record<string, string>> | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/.exec(written) ?? [];
  return name === undefined || value === undefined ? undefined : { [name.trim()]: value.trim() };
}

function sharedColumns(path: string, templates: TemplateNames): WorkColumns {
  return {
    id: { label: messages.id, isHeading: true, cell: ({ id }) => <WorkLink id={id} list={path} /> },
    template: {
      label: messages.template,
      cell: ({ template_id }) => <TemplateName id={template_id} templates={templates} />,
    },
    format: { label: messages.format, cell: ({ format }) => previewTexts.formats[format] },
    metadata: {
      label: messages.metadata,
      cell: ({ metadata = {} }) => <MetadataInLine metadata={metadata} />,
    },
    created: { label: messages.created, cell: ({ created_at }) => <Time at={created_at} /> },
    expires: { label: messages.expires, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
  };
}

const TABS = [
  { path: '/dashboard/documents', label: messages.title },
  { path: '/dashboard/batches', label: batchesTexts.title },
];

/** Links between the document list and the batch list. `current`: path of the shown list. */
function WorkTabs({ current }: { readonly current: string }) {
  return (
    <nav class={styles.tabs} aria-label={messages.kinds}>
      {TABS.map(({ path, label }) => (
        <a href={path} key={path} aria-current={path === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
