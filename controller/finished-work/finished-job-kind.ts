import { dataKey, documentKeyOf, recordKey, type GenerationJob } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import {
  documentRecordOf,
  documentRowOf,
  eraseDocument,
  isDeleted,
  type DocumentRow,
} from '@trifold/platform/records/documents/finished-document.ts';
import { usageOfJob } from '@trifold/platform/records/usage/work-usage.ts';
import { deliveriesOfJob } from '../webhooks/events/job-events.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { ID_REUSED } from '../work/stored-outcome.ts';
import type { FinishedKind } from './finished-kind.ts';

/** Deliveries, data, file and record of a finished job. A deleted document leaves a tombstone. */
export function finishedJobs(
  store: ObjectStore,
  outbox: Pick<Outbox, 'deliver'>,
): FinishedKind<GenerationJob> {
  return {
    indexList: 'documents',
    rowOf: listedRow,
    usageOf: usageOfJob,
    isDeleted,
    async settle(job) {
      await outbox.deliver(deliveriesOfJob(job));
      const documentKey = documentKeyOf(job);
      const { namespace: account = 'default' } = job.metadata;
      if (isDeleted(job)) await eraseDocument(store, account, documentKey, acceptedDocument(job));
      else await storeRecord(store, documentKey, job);
      await store.delete(dataKey(documentKey));
      return true;
    },
  };
}

/**
 * Returns what lists show of a finished job after its deletion: nothing if a client deleted the document. A reused id
 * belongs to the document that used it first.
 */
function listedRow(job: GenerationJob): DocumentRow | undefined {
  const isListed = !isDeleted(job) && job.status?.error?.code !== ID_REUSED;
  return isListed ? documentRowOf(job) : undefined;
}

async function storeRecord(store: ObjectStore, documentKey: string, job: GenerationJob): Promise<void> {
  const record = documentRecordOf(job);
  // A reused id belongs to the document that used it first.
  if (!record || record.error?.code === ID_REUSED) return;
  await store.put(recordKey(documentKey), JSON.stringify(record), { contentType: 'application/json' });
}
