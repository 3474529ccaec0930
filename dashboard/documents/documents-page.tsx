import './documents.css';
import { useSignal } from '@preact/signals';
import type { Generation } from '@trifold/client';
import { Button } from '../components/button.tsx';
import { DataTable, type Column } from '../components/data-table.tsx';
import { formatBytes, formatNumber } from '../components/format.ts';
import { Page } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { text } from '../messages/text.ts';
import { client } from '../session/client.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { PAGE_SIZE, useLiveList } from './live-list.ts';
import { ActionError } from './problem.tsx';
import { useDownload } from './save-download.ts';
import { useTemplateNames, type TemplateNames } from './template-names.ts';
import { queryOf, useWorkFilter } from './work-filter.ts';
import { WorkFilters } from './work-filters.tsx';
import {
  Expiry,
  NoMatch,
  PausedNote,
  TemplateName,
  WarningCount,
  WorkLink,
  WorkStatus,
} from './work-parts.tsx';
import { WorkTabs } from './work-tabs.tsx';

const { documents: messages } = text;

/** The documents of the last 24 hours, with filters that the address keeps. */
export function DocumentsPage() {
  const { filter, isFiltered, change, clear } = useWorkFilter();
  const templates = useTemplateNames();
  const deleted = useSignal<Generation | undefined>(undefined);
  const query = queryOf(filter);
  const list = useLiveList<Generation>(
    async (cursor, signal) => client.documents.page({ ...query, cursor, limit: PAGE_SIZE }, { signal }),
    [JSON.stringify(query)],
  );
  const download = useDownload(async ({ id }: Generation) => client.documents.download(id));
  const closeDialog = () => void (deleted.value = undefined);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <WorkTabs current="/dashboard/documents" />
      <WorkFilters filter={filter} templates={templates} onChange={change} />
      {download.error.value !== undefined && <ActionError error={download.error.value} />}
      {list.isPaused && <PausedNote onRefresh={list.reload} />}
      <div class="wide-table">
        <DataTable
          label={messages.title}
          list={list}
          columns={columnsOf(templates, {
            download: download.run,
            remove: (document) => void (deleted.value = document),
          })}
          rowKey={({ id }) => id}
          empty={
            isFiltered ? (
              <NoMatch message={messages.emptyFiltered} onClear={clear} />
            ) : (
              <p>{messages.empty}</p>
            )
          }
        />
      </div>
      {deleted.value && (
        <DeleteDialog
          document={deleted.value}
          onDeleted={() => {
            closeDialog();
            list.reload();
          }}
          onClose={closeDialog}
        />
      )}
    </Page>
  );
}

interface RowActions {
  readonly download: (document: Generation) => void;
  readonly remove: (document: Generation) => void;
}

function columnsOf(templates: TemplateNames, { download, remove }: RowActions): Column<Generation>[] {
  return [
    {
      label: messages.id,
      isHeading: true,
      cell: ({ id }) => <WorkLink id={id} list="/dashboard/documents" />,
    },
    { label: messages.filename, cell: filename },
    {
      label: messages.template,
      cell: ({ template_id }) => <TemplateName id={template_id} templates={templates} />,
    },
    { label: messages.status, cell: (document) => <WorkStatus status={document.status} /> },
    {
      label: messages.created,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    { label: messages.expires, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
    { label: messages.renderTime, cell: renderTime },
    { label: messages.size, cell: size },
    {
      label: messages.warnings,
      cell: (document) => (
        <WarningCount count={document.status === 'completed' ? document.warnings.length : 0} />
      ),
    },
    {
      label: text.common.actions,
      hideLabel: true,
      cell: (document) => (
        <span class="row-actions">
          {document.status === 'completed' && (
            <Button aria-label={messages.downloadOne(document.id)} onClick={() => download(document)}>
              {messages.download}
            </Button>
          )}
          <Button kind="quiet" aria-label={messages.deleteOne(document.id)} onClick={() => remove(document)}>
            {text.common.delete}
          </Button>
        </span>
      ),
    },
  ];
}

const NOTHING = <span class="muted">–</span>;

function filename(document: Generation) {
  return document.filename === undefined ? NOTHING : <span class="file-name">{document.filename}</span>;
}

function renderTime(document: Generation) {
  return document.status === 'completed'
    ? messages.milliseconds(formatNumber(document.render_time_ms))
    : NOTHING;
}

function size(document: Generation) {
  return document.status === 'completed' ? (
    <span class="unbroken">{formatBytes(document.file_size)}</span>
  ) : (
    NOTHING
  );
}
