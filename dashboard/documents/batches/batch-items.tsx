import type { BatchItem, BatchWithItems } from '@trifold/client';
import { classes } from '../../components/classes.ts';
import { actionsColumn, Table, type Column } from '../../components/content/data-table.tsx';
import { Button } from '../../components/controls/button.tsx';
import { formatBytes, formatNumber } from '../../components/format.ts';
import { batches as messages, documents as documentTexts } from '../../messages/documents.ts';
import { useSession } from '../../session/session.ts';
import { ActionError, ErrorText } from '../problem.tsx';
import { useDownload } from '../save-download.ts';
import { Metadata, WarningCount, WorkStatus } from '../work-parts.tsx';
import styles from '../documents.module.css';

/** A batch's documents, at most 100, in request order. */
export function BatchItems({ batch: { id, items } }: { readonly batch: BatchWithItems }) {
  const { client } = useSession();
  const download = useDownload(async ({ index }: BatchItem) => client.batches.downloadItem(id, index));
  return (
    <section class="stack" aria-labelledby="items">
      <h2 id="items">{messages.items}</h2>
      <ActionError error={download.error.value} />
      <Table
        label={messages.items}
        entries={items}
        columns={columnsOf(download.run)}
        rowKey={({ index }) => String(index)}
      />
    </section>
  );
}

function columnsOf(onDownload: (item: BatchItem) => void): Column<BatchItem>[] {
  return [
    { label: messages.number, isHeading: true, cell: ({ index }) => formatNumber(index + 1) },
    { label: documentTexts.status, cell: ({ status }) => <WorkStatus status={status} /> },
    {
      label: documentTexts.size,
      cell: ({ file_size }) =>
        file_size !== undefined && <span class={styles.unbroken}>{formatBytes(file_size)}</span>,
    },
    { label: messages.result, cell: (item) => <ItemResult item={item} /> },
    actionsColumn(
      (item) =>
        item.status === 'completed' && (
          <Button
            icon="download"
            title={documentTexts.download}
            aria-label={messages.downloadItem(formatNumber(item.index + 1))}
            onClick={() => onDownload(item)}
          />
        ),
    ),
  ];
}

/** The error, the number of warnings and the metadata of an item. BatchNotes shows the warning messages. */
function ItemResult({ item: { error, warnings = [], metadata } }: { readonly item: BatchItem }) {
  return (
    <div class={classes(styles.result, 'stack')}>
      {error && (
        <p>
          <ErrorText error={error} />
        </p>
      )}
      {warnings.length > 0 && <WarningCount count={warnings.length} />}
      {metadata && <Metadata metadata={metadata} />}
    </div>
  );
}
