import {
  BATCH,
  DELETED_ANNOTATION,
  GENERATION_JOB,
  type Batch,
  type GenerationJob,
  type ObjectMeta,
} from '@trifold/crds';
import { acceptedBatch } from '@trifold/platform/records/documents/accepted-work.ts';
import type { BatchRow } from '@trifold/platform/records/documents/finished-batch.ts';
import {
  documentOf,
  isDeleted,
  stateOf,
  type ListedDocument,
  type WorkState,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { WorkList, type WorkListOptions } from './work-list.ts';
import { picked } from '@trifold/platform/records/picked.ts';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';

/** A batch as shown in a list. */
export type ListedBatch = Omit<BatchRow, 'status'> & { readonly status: WorkState };

/**
 * The accounts' documents. `jobs`: this gateway's jobs. With them, a list shows everything a response has already
 * reported.
 */
export function documentList(options: WorkListOptions, jobs: Informer<GenerationJob>) {
  const documents = new WorkList<GenerationJob, ListedDocument>(
    {
      list: 'documents',
      nouns: { one: 'document list', many: 'document lists' },
      resource: { client: options.kubernetes.resource(GENERATION_JOB), transform: listedJob },
      ofResource: (job) => ({ ...documentOf(job), isDeleted: isDeleted(job) }),
    },
    options,
  );
  jobs.onChange(({ namespace, name }) => {
    const job = jobs.get(namespace, name);
    if (job) documents.wrote(job);
  });
  return documents;
}

/** The accounts' batches, without their items. */
export function batchList(options: WorkListOptions) {
  return new WorkList<Batch, ListedBatch>(
    {
      list: 'batches',
      nouns: { one: 'batch list', many: 'batch lists' },
      resource: { client: options.kubernetes.resource(BATCH), transform: listedBatch },
      ofResource: listedBatchOf,
    },
    options,
  );
}

function listedBatchOf(batch: Batch): ListedBatch {
  const { phase, completed = 0, failed = 0, error } = batch.status ?? {};
  return { ...acceptedBatch(batch), status: stateOf(phase), completed, failed, ...(error && { error }) };
}

/** Reduces a job to what lists show and search, because an account may have very many jobs. */
export function listedJob({ apiVersion, kind, metadata, spec, status = {} }: GenerationJob): GenerationJob {
  return {
    apiVersion,
    kind,
    metadata: { ...identityMetadata(metadata), ...deletionOf(metadata) },
    spec: picked(spec, [
      'templateRef',
      'version',
      'filename',
      'format',
      'requestId',
      'clientMetadata',
      'expiresAt',
    ]),
    status: picked(status, ['phase', 'version', 'size', 'renderTimeMs', 'warnings', 'error']),
  };
}

/** Reduces a batch to what lists show and search, without the items' input and results. */
export function listedBatch({ apiVersion, kind, metadata, spec, status = {} }: Batch): Batch {
  const { items: _items, options: _options, template: _template, ...kept } = spec;
  return {
    apiVersion,
    kind,
    metadata: identityMetadata(metadata),
    spec: kept,
    status: picked(status, ['phase', 'completed', 'failed', 'error']),
  };
}

function deletionOf({ annotations = {} }: ObjectMeta): Pick<ObjectMeta, 'annotations'> {
  const deletedAt = annotations[DELETED_ANNOTATION];
  return deletedAt === undefined ? {} : { annotations: { [DELETED_ANNOTATION]: deletedAt } };
}
