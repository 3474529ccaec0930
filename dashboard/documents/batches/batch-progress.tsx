import type { Batch } from '@trifold/client';
import { Badge } from '../../components/content/badge.tsx';
import { formatNumber } from '../../components/format.ts';
import { batches as messages } from '../../messages/documents.ts';
import { WorkStatus } from '../work-parts.tsx';
import styles from '../documents.module.css';

/** Number of finished documents in a batch and, until the status shows it, the number of failed ones. */
export function BatchProgress({ batch }: { readonly batch: Batch }) {
  const { id, status, total, completed, failed } = batch;
  const done = completed + failed;
  return (
    <span class={styles.progress}>
      <progress aria-label={messages.progressOf(id)} max={total} value={done} />
      <span class="small">
        {messages.progressText(formatNumber(done), formatNumber(total))}
        {failed > 0 && status !== 'completed' && (
          <span class={styles.failed}>, {messages.failedItems(formatNumber(failed))}</span>
        )}
      </span>
    </span>
  );
}

/** The status, including how many documents of a finished batch failed. */
export function BatchStatus({ batch: { status, failed } }: { readonly batch: Batch }) {
  if (status !== 'completed' || failed === 0) return <WorkStatus status={status} />;
  return <Badge kind="warning">{messages.completedWithFailures(failed, formatNumber(failed))}</Badge>;
}

/** Whether the zip of a batch can be downloaded: it is finished and has a file. */
export function hasZip({ status, completed }: Batch): boolean {
  return status === 'completed' && completed > 0;
}
