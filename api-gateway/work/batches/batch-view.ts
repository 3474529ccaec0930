import {
  ClientMetadata,
  DOCUMENT_FORMATS,
  DocumentWarning,
  MAX_WARNINGS,
  StringEnum,
  Timestamp,
  DOCUMENT_LIFETIME,
} from '@trifold/crds';
import { batchStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { WORK_STATES } from '@trifold/platform/records/documents/finished-document.ts';
import { picked } from '@trifold/platform/records/picked.ts';
import { Type, type Static } from 'typebox';
import { nullable } from '../../server/http/route-schemas.ts';
import { pageOf } from '../../server/pagination/page.ts';
import type { ListedBatch } from '../lists/work-lists.ts';
import { documentProblem, ERROR_FIELDS } from '../documents/document-problem.ts';
import type { StoredBatch, StoredItem } from './batches.ts';

const ItemProblem = documentProblem('Reason for the failure, if the item failed.');

const members = {
  id: Type.String({ description: 'ID of the batch.' }),
  status: StringEnum(WORK_STATES, {
    description: '`failed`: every item failed. `completed`: every item has finished; some may have failed.',
  }),
  template_id: nullable(
    Type.String(),
    'ID of the template for all items; null if the request contained the template.',
  ),
  template_version: nullable(
    Type.Integer({ minimum: 1 }),
    'Version of the template; null if the request contained the template.',
  ),
  request_id: nullable(
    Type.String(),
    'ID of the request that created the batch, as in its `X-Request-Id` header; null for a batch created with kubectl.',
  ),
  format: StringEnum(DOCUMENT_FORMATS, { description: 'Format of every document.' }),
  total: Type.Integer({ description: 'Number of items in the batch.' }),
  completed: Type.Integer({ description: 'Number of completed items.' }),
  failed: Type.Integer({ description: 'Number of failed items.' }),
  created_at: Timestamp({ description: 'Time of acceptance.' }),
  expires_at: Timestamp({
    description: `Time at which the files expire: ${DOCUMENT_LIFETIME} after \`created_at\`, or earlier if the Batch sets \`expiresAt\`.`,
  }),
  status_url: Type.String({ description: 'Path of the status.' }),
  error: Type.Optional(documentProblem('Reason for the failure, if the batch failed.')),
  metadata: Type.Optional(ClientMetadata({ description: 'The `metadata` from the request, if any.' })),
};

/** Response to the creation of a batch (docs/interface-choices.md). */
export const BatchView = Type.Object(members, {
  title: 'Batch',
  description: 'A batch and its progress.',
});
/** A batch without its items. */
export type BatchView = Static<typeof BatchView>;

export const BatchPage = pageOf(BatchView, 'BatchList');

const BatchItemView = Type.Object(
  {
    index: Type.Integer({ description: 'Zero-based index of the item in the request.' }),
    status: StringEnum(WORK_STATES),
    file_url: Type.Optional(Type.String({ description: 'Path of the file, if the item is completed.' })),
    file_size: Type.Optional(Type.Integer({ description: 'File size in bytes.' })),
    error: Type.Optional(ItemProblem),
    warnings: Type.Optional(
      Type.Array(DocumentWarning, {
        maxItems: MAX_WARNINGS,
        description: 'Possible problems, including those of a failed document. Absent if there are none.',
      }),
    ),
    metadata: Type.Optional(ClientMetadata({ description: 'The `metadata` for the item, if any.' })),
  },
  { title: 'BatchItem', description: 'Result of one item.' },
);
type BatchItemView = Static<typeof BatchItemView>;

/** Response to reading a batch: the batch with all its items. */
export const BatchInFullView = Type.Object(
  {
    ...members,
    items: Type.Array(BatchItemView, { description: 'Items in the same order as in the request.' }),
  },
  { title: 'BatchInFull', description: 'A batch and its items.' },
);
/** A batch and its items, in the order of the request. */
export type BatchInFullView = Static<typeof BatchInFullView>;

export const EXAMPLE_BATCH: BatchView = {
  id: 'bat-01m7yr47s8d1r6v3p0j8yb2n5e',
  status: 'pending',
  template_id: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha',
  template_version: 3,
  request_id: 'req-01m7yr47s7d1r6v3p0j8yb2n5e',
  format: 'pdf',
  total: 2,
  completed: 0,
  failed: 0,
  created_at: '2026-11-21T09:59:57.000Z',
  expires_at: '2026-11-22T09:59:57.000Z',
  status_url: '/v1/generate/batch/bat-01m7yr47s8d1r6v3p0j8yb2n5e',
};

export const EXAMPLE_FINISHED_BATCH: BatchInFullView = {
  ...EXAMPLE_BATCH,
  status: 'completed',
  completed: 1,
  failed: 1,
  items: [
    {
      index: 0,
      status: 'completed',
      file_url: '/v1/generate/batch/bat-01m7yr47s8d1r6v3p0j8yb2n5e/items/0/download',
      file_size: 48_213,
      metadata: { order: 'A-17' },
    },
    {
      index: 1,
      status: 'failed',
      error: {
        code: 'merge_timeout',
        message: 'merging the template with the data took longer than 5000 ms',
      },
      metadata: { order: 'A-18' },
    },
  ],
};

/** Returns the API view of a batch. URLs are relative to the service, like document URLs. */
export function batchViewOf(batch: ListedBatch): BatchView {
  const { id, status, format, total, completed, failed, error, metadata } = batch;
  return {
    id,
    status,
    template_id: batch.template ?? null,
    template_version: batch.version ?? null,
    request_id: batch.requestId ?? null,
    format,
    total,
    completed,
    failed,
    created_at: batch.createdAt,
    expires_at: batch.expiresAt,
    status_url: batchStatusPath(id),
    ...(error && { error: picked(error, ERROR_FIELDS) }),
    ...(metadata && { metadata }),
  };
}

/** Returns the API view of a batch with its items. */
export function batchInFullOf(batch: StoredBatch): BatchInFullView {
  const url = batchStatusPath(batch.id);
  return { ...batchViewOf(batch), items: batch.items.map((item) => itemViewOf(item, url)) };
}

function itemViewOf(item: StoredItem, batchUrl: string): BatchItemView {
  const { index, status, result, error, progress, metadata } = item;
  const { warnings = [] } = result ?? progress ?? {};
  return {
    index,
    status,
    ...(result && { file_url: `${batchUrl}/items/${index}/download`, file_size: result.size }),
    ...(error && { error: picked(error, ERROR_FIELDS) }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(metadata && { metadata }),
  };
}
