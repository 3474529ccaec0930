import { attachmentsKey, dataKey, documentKeyOf, recordKey, type GenerationJob } from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import {
  CANCELLED,
  documentRecordOf,
  documentRowOf,
  eraseDocument,
  isDeleted,
  isTombstone,
  type DocumentRow,
} from '@trifold/platform/records/documents/finished-document.ts';
import { inlineJson } from '@trifold/platform/records/documents/inline-data.ts';
import { nestsTooDeep } from '@trifold/platform/request-body/json-size.ts';
import { usageOfJob } from '@trifold/platform/records/usage/work-usage.ts';
import { deliveriesOfJob } from '../webhooks/events/job-events.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { ID_REUSED } from '../work/stored-outcome.ts';
import type { FinishedKind } from './finished-kind.ts';

export interface FinishedJobDependencies {
  readonly store: ObjectStore;
  readonly outbox: Pick<Outbox, 'deliver'>;
  /** The API server, which has whole jobs; the cache may have only what `reducedJob` keeps. */
  readonly jobs: Pick<ResourceClient<GenerationJob>, 'find' | 'getText'>;
  /** Whether the data of failed documents is kept as long as files are. */
  readonly keepFailedData: boolean;
}

/** A finished job's deliveries, data, file and record. A deleted document leaves a tombstone. */
export function finishedJobs(dependencies: FinishedJobDependencies): FinishedKind<GenerationJob> {
  const { store, outbox } = dependencies;
  return {
    indexList: 'documents',
    rowOf: listedRow,
    usageOf: usageOfJob,
    isDeleted,
    async settle(job, signal) {
      await outbox.deliver(deliveriesOfJob(job));
      const documentKey = documentKeyOf(job);
      const { namespace: account = 'default' } = job.metadata;
      const isKept = dependencies.keepFailedData && mayBeRepeated(job);
      if (isDeleted(job)) await eraseDocument(store, account, documentKey, acceptedDocument(job));
      else await storeRecord(store, documentKey, isKept ? await keepInput(job, dependencies, signal) : job);
      if (!isKept) await store.delete(dataKey(documentKey));
      // No request reads a document's attachments, even if the document failed.
      if (job.spec.attachmentsRef ?? job.status?.attachmentsRef)
        await store.delete(attachmentsKey(documentKey));
      return true;
    },
  };
}

/** Error codes of documents whose data is not needed again, or under whose key another document's data is stored. */
const NOT_REPEATED: readonly string[] = [CANCELLED.code, ID_REUSED];

/** Whether the document failed, so that its author may need its data. */
function mayBeRepeated(job: GenerationJob): boolean {
  const { phase, error } = job.status ?? {};
  return phase === 'Failed' && !isDeleted(job) && !NOT_REPEATED.includes(error?.code ?? '');
}

/**
 * Stores small data, which is only in the resource, in the same place as large data. Returns the whole job, or the
 * given one if the job no longer exists or its document was deleted (docs/adr/0058-data-of-failed-documents.md).
 */
async function keepInput(
  job: GenerationJob,
  { store, jobs }: FinishedJobDependencies,
  signal: AbortSignal,
): Promise<GenerationJob> {
  const { namespace, name, uid } = job.metadata;
  const whole = await jobs.find(namespace, name, signal);
  if (whole?.metadata.uid !== uid || isDeleted(whole)) return job;
  const { data } = whole.spec;
  const json = data === undefined || nestsTooDeep(data) ? undefined : await inlineJson(jobs, whole);
  if (json === undefined) return whole;
  const key = dataKey(documentKeyOf(job));
  await store.put(key, json, { contentType: 'application/json' });
  // A client may have deleted the document, and its data, just before the data was stored.
  if (await isErased(job, store, await jobs.find(namespace, name, signal))) await store.delete(key);
  return whole;
}

/**
 * Whether a client deleted the document of a job. `current`: the job, unless it is gone because it expired or because
 * another controller settled its deletion.
 */
async function isErased(
  job: GenerationJob,
  store: ObjectStore,
  current: GenerationJob | undefined,
): Promise<boolean> {
  if (current) return current.metadata.uid === job.metadata.uid && isDeleted(current);
  const file = await store.head(documentKeyOf(job));
  return file !== undefined && isTombstone(file);
}

/**
 * Returns the index row that lists show after a finished job's deletion; none if a client deleted the document. A
 * reused ID belongs to the document that used it first.
 */
function listedRow(job: GenerationJob): DocumentRow | undefined {
  const isListed = !isDeleted(job) && job.status?.error?.code !== ID_REUSED;
  return isListed ? documentRowOf(job) : undefined;
}

async function storeRecord(store: ObjectStore, documentKey: string, job: GenerationJob): Promise<void> {
  const record = documentRecordOf(job);
  // A reused ID belongs to the document that used it first.
  if (!record || record.error?.code === ID_REUSED) return;
  await store.put(recordKey(documentKey), JSON.stringify(record), { contentType: 'application/json' });
}
