import { DOCUMENT_LIFETIME } from '@trifold/crds/retention.ts';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Batch } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { Type } from 'typebox';
import type { GatewayConfig } from '../../config.ts';
import { disconnection } from '../../server/http/response-end.ts';
import { fileResponse, IdParams, IfNoneMatch, notModified } from '../../server/http/route-schemas.ts';
import { IdempotencyKey, knownRequest } from '../../server/idempotency/idempotency-key.ts';
import { examplePage } from '../../server/pagination/page.ts';
import { GENERATION_ERRORS } from '../../templates/template-checks.ts';
import { workTemplate } from '../admission/work-template.ts';
import { checkDownloadKey, sendFile } from '../documents/download.ts';
import type { WorkList } from '../lists/work-list.ts';
import type { ListedBatch } from '../lists/work-lists.ts';
import { readMapParameters, WorkQuery } from '../lists/work-query.ts';
import type { WorkGenerator } from '../work-generator.ts';
import type { AttachmentPacker } from '../admission/attachment-packer.ts';
import { BatchBody, readBatchAttachments, validateBatchBody, type BatchPresentation } from './batch-body.ts';
import { itemAt, itemFile, sendArchive } from './batch-files.ts';
import {
  batchInFullOf,
  BatchInFullView,
  BatchPage,
  BatchView,
  batchViewOf,
  EXAMPLE_BATCH,
  EXAMPLE_FINISHED_BATCH,
} from './batch-view.ts';
import type { Batches, StoredBatch } from './batches.ts';

const createSchema = {
  operationId: 'createBatch',
  summary: 'Generate a batch of documents',
  description: [
    'Responds before the documents are generated. Poll the batch at its `status_url`. `options` apply to every item.',
    'The service checks all items before it accepts any: one invalid item rejects the batch, with paths such as `/items/17/data/total` in `details`. All items in the batch count toward the limit on unfinished documents.',
  ].join('\n\n'),
  tags: ['Batches'],
  body: BatchBody,
  requestHeaders: IdempotencyKey,
  response: { 202: BatchView },
  links: { 202: ['readBatch', 'downloadBatch'] },
  responseHeaders: { 202: ['Idempotency-Replayed'] },
  responseExamples: { 202: EXAMPLE_BATCH },
  errors: [...GENERATION_ERRORS],
} as const;

const listSchema = {
  operationId: 'listBatches',
  summary: 'List batches',
  description: `Batches from the last ${DOCUMENT_LIFETIME}, newest first, without their items.`,
  tags: ['Batches'],
  querystring: WorkQuery,
  response: { 200: BatchPage },
  responseExamples: { 200: examplePage(EXAMPLE_BATCH) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readBatch',
  summary: 'Read the status of a batch',
  description:
    'Returns the status of a batch. This is the URL in its `status_url`. Any key in the account can read it.',
  tags: ['Batches'],
  params: IdParams,
  response: { 200: BatchInFullView },
  responseExamples: { 200: EXAMPLE_FINISHED_BATCH },
  errors: ['batch_not_found', 'expired'],
} as const;

const downloadSchema = {
  operationId: 'downloadBatch',
  summary: 'Download a batch as a zip file',
  description: [
    'The batch must be finished. Only the key that created it can download the file, unless the service allows every key in the account. The archive does not contain failed items; if every item failed, the response is 422. An interrupted download is never a valid archive.',
    'Entries have the same names as the items. Characters that Windows does not allow are replaced with `_`, and duplicate names get a number: `ticket (2).pdf`.',
  ].join('\n\n'),
  tags: ['Batches'],
  params: IdParams,
  response: { 200: fileResponse({ description: 'The archive.', mediaTypes: ['application/zip'] }) },
  responseHeaders: { 200: ['Content-Disposition'] },
  errors: [
    'batch_not_found',
    'expired',
    'different_key',
    'not_ready',
    { code: 'generation_failed', statusCode: 422 },
  ],
} as const;

const downloadItemSchema = {
  operationId: 'downloadBatchItem',
  summary: 'Download one document from a batch',
  description:
    'Returns the file of an item. This is the URL in its `file_url`. The key that created the batch can download it as soon as the item is completed. An item without `filename` is named `<batch>-<index>`, where the index may have leading zeros, with the file extension for its format.',
  tags: ['Batches'],
  // Any other ID or index returns 404, not a validation error.
  params: Type.Object({
    ...IdParams.properties,
    index: Type.String({ description: 'Zero-based index of the item in the request.', examples: ['0'] }),
  }),
  requestHeaders: IfNoneMatch,
  response: { 200: fileResponse(), 304: notModified },
  responseHeaders: { 200: ['Content-Disposition', 'ETag'], 304: ['ETag'] },
  errors: [
    'batch_not_found',
    'document_not_found',
    'expired',
    'different_key',
    'not_ready',
    'generation_failed',
  ],
} as const;

/** POST /v1/generate/batch, and the status and files of the batch. */
export const batchRoutes: FastifyPluginAsyncTypebox<{
  readonly generator: WorkGenerator<Batch, StoredBatch, BatchPresentation>;
  readonly batches: Batches;
  readonly list: WorkList<Batch, ListedBatch>;
  readonly store: ObjectStore;
  readonly packer: AttachmentPacker;
  readonly config: Pick<GatewayConfig, 'maxBodyBytes' | 'maxBatchBodyBytes' | 'downloadAccess'>;
}> = async (app, { generator, batches, list, store, packer, config }) => {
  const createOptions = { schema: createSchema, bodyLimit: config.maxBatchBodyBytes };
  // One item may be as large as the body for a single document.
  const limits = { each: config.maxBodyBytes, together: config.maxBatchBodyBytes };
  // Always 202 (interface, same name). Requests with the same Idempotency-Key create only one batch.
  app.post('/v1/generate/batch', createOptions, async (request, reply) => {
    const { caller, body } = request;
    const items = body.items.map(({ data }, index) => ({ data, pointer: `/items/${index}/data` }));
    const wanted = {
      caller,
      requestId: request.id,
      template: workTemplate(body, caller),
      options: body.options,
      data: { items, limits },
      attachments: await readBatchAttachments(packer, body),
      presentation: validateBatchBody(body),
      waitMs: undefined,
      signal: disconnection(reply),
    };
    const { work: batch, replayed } = await generator.generate(wanted, knownRequest(request));
    if (replayed) reply.header('idempotency-replayed', 'true');
    return reply.code(202).send(batchViewOf(batch));
  });

  const listOptions = { schema: listSchema, preValidation: readMapParameters };
  app.get('/v1/generate/batch', listOptions, async ({ caller, query }) => {
    const { data, pagination } = await list.page(caller.account, query);
    return { data: data.map(batchViewOf), pagination };
  });

  app.get('/v1/generate/batch/:id', { schema: readSchema }, async (request) =>
    batchInFullOf(await batches.get(request.caller.account, request.params.id)),
  );

  // Streams the files from the store. A read error breaks the connection, so a completed zip is always intact.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/generate/batch/:id/download',
    schema: downloadSchema,
    async handler(request, reply) {
      const batch = await batches.get(request.caller.account, request.params.id);
      checkDownloadKey('batch', batch.keyId, request.caller, config.downloadAccess);
      return sendArchive(request, reply, batch, store);
    },
  });

  app.route({
    // An explicit HEAD route, as for single documents.
    method: ['GET', 'HEAD'],
    url: '/v1/generate/batch/:id/items/:index/download',
    schema: downloadItemSchema,
    async handler(request, reply) {
      const batch = await batches.get(request.caller.account, request.params.id);
      checkDownloadKey('batch', batch.keyId, request.caller, config.downloadAccess);
      const file = itemFile(batch, itemAt(batch, request.params.index));
      return sendFile(request, reply, file, store);
    },
  });
};
