import '../documents.css';
import type { Batch } from '@trifold/client';
import { Button } from '../../components/button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { text } from '../../messages/text.ts';
import { client } from '../../session/client.ts';
import { PAGE_SIZE, useLiveList } from '../live-list.ts';
import { ActionError } from '../problem.tsx';
import { useDownload } from '../save-download.ts';
import { useTemplateNames, type TemplateNames } from '../template-names.ts';
import { queryOf, useWorkFilter } from '../work-filter.ts';
import { WorkFilters } from '../work-filters.tsx';
import { Expiry, NoMatch, PausedNote, TemplateName, WorkLink, WorkStatus } from '../work-parts.tsx';
import { WorkTabs } from '../work-tabs.tsx';
import { BatchProgress, hasZip } from './batch-progress.tsx';

const { batches: messages, documents } = text;

/** The batches of the last 24 hours, with filters that the address keeps. */
export function BatchesPage() {
  const { filter, isFiltered, change, clear } = useWorkFilter();
  const templates = useTemplateNames();
  const query = queryOf(filter);
  const list = useLiveList<Batch>(
    async (cursor, signal) => client.batches.page({ ...query, cursor, limit: PAGE_SIZE }, { signal }),
    [JSON.stringify(query)],
  );
  const zip = useDownload(async ({ id }: Batch) => client.batches.downloadZip(id));
  return (
    <Page title={documents.batches} lead={messages.lead}>
      <WorkTabs current="/dashboard/batches" />
      <WorkFilters filter={filter} templates={templates} onChange={change} />
      {zip.error.value !== undefined && <ActionError error={zip.error.value} />}
      {list.isPaused && <PausedNote onRefresh={list.reload} />}
      <div class="wide-table">
        <DataTable
          label={documents.batches}
          list={list}
          columns={columnsOf(templates, zip.run)}
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
    </Page>
  );
}

function columnsOf(templates: TemplateNames, onZip: (batch: Batch) => void): Column<Batch>[] {
  return [
    {
      label: documents.id,
      isHeading: true,
      cell: ({ id }) => <WorkLink id={id} list="/dashboard/batches" />,
    },
    {
      label: documents.template,
      cell: ({ template_id }) => <TemplateName id={template_id} templates={templates} />,
    },
    { label: documents.status, cell: ({ status }) => <WorkStatus status={status} /> },
    { label: messages.progress, cell: (batch) => <BatchProgress batch={batch} /> },
    { label: messages.format, cell: ({ format }) => text.preview.formats[format] },
    {
      label: documents.created,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    { label: documents.expires, cell: ({ expires_at }) => <Expiry at={expires_at} /> },
    {
      label: text.common.actions,
      hideLabel: true,
      cell: (batch) =>
        hasZip(batch) && (
          <Button aria-label={messages.zipOne(batch.id)} onClick={() => onZip(batch)}>
            {messages.zip}
          </Button>
        ),
    },
  ];
}
