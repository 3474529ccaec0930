import type { Batch } from '@trifold/client';
import type { Column } from '../../components/content/data-table.tsx';
import { Button } from '../../components/controls/button.tsx';
import { batches as messages } from '../../messages/documents.ts';
import { preview as previewTexts } from '../../messages/template-pages.ts';
import { text } from '../../messages/text.ts';
import { useSession } from '../../session/session.ts';
import { useDownload } from '../save-download.ts';
import { WorkList } from '../work-list.tsx';
import { BatchProgress, hasZip } from './batch-progress.tsx';

/** The batches of the last 24 hours. */
export function BatchesPage() {
  const { client } = useSession();
  const zip = useDownload(async ({ id }: Batch) => client.batches.downloadZip(id));
  const actions: Column<Batch> = {
    label: text.common.actions,
    hideLabel: true,
    cell: (batch) =>
      hasZip(batch) && (
        <Button aria-label={messages.zipOne(batch.id)} onClick={() => zip.run(batch)}>
          {messages.zip}
        </Button>
      ),
  };
  return (
    <WorkList<Batch>
      texts={messages}
      path="/dashboard/batches"
      load={async (query, options) => client.batches.page(query, options)}
      download={zip}
      columns={({ id, template, status, created, expires }) => [
        id,
        template,
        status,
        { label: messages.progress, cell: (batch) => <BatchProgress batch={batch} /> },
        { label: messages.format, cell: ({ format }) => previewTexts.formats[format] },
        created,
        expires,
        actions,
      ]}
    />
  );
}
