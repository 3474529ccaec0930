import type { Batch } from '@trifold/client';
import { actionsColumn } from '../../components/content/data-table.tsx';
import { Button } from '../../components/controls/button.tsx';
import { batches as messages, documents as documentTexts } from '../../messages/documents.ts';
import { useSession } from '../../session/session.ts';
import { useDownload } from '../save-download.ts';
import { WorkList } from '../work-list.tsx';
import { BatchProgress, BatchStatus, hasZip } from './batch-progress.tsx';

/** The batches from the last 24 hours. */
export function BatchesPage() {
  const { client } = useSession();
  const zip = useDownload(async ({ id }: Batch) => client.batches.downloadZip(id));
  return (
    <WorkList<Batch>
      texts={messages}
      path="/dashboard/batches"
      load={async (query, options) => client.batches.page(query, options)}
      download={zip}
      columns={({ id, template, format, metadata, created, expires }) => [
        id,
        format,
        template,
        { label: documentTexts.status, cell: (batch) => <BatchStatus batch={batch} /> },
        { label: messages.progress, cell: (batch) => <BatchProgress batch={batch} /> },
        metadata,
        created,
        expires,
        actionsColumn(
          (batch) =>
            hasZip(batch) && (
              <Button
                icon="download"
                title={messages.zip}
                aria-label={messages.zipOne(batch.id)}
                onClick={() => zip.run(batch)}
              />
            ),
        ),
      ]}
    />
  );
}
