import {
  DOCUMENT_LIFETIME,
  INLINE_DATA_LIMIT,
  isId,
  mediaTypeOf,
  type DocumentFormat,
  type GenerationJob,
} from '@trifold/crds';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { documentCheck } from '@trifold/platform/templating/checking/data-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { ListedDocument } from '@trifold/platform/records/documents/finished-document.ts';
import { documentFilePath, documentStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import { Type } from 'typebox';
import type { GatewayConfig } from '../../config.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { ErrorBody } from '../../server/errors/error-body.ts';
import {
  Deleted,
  exampleOfDeleted,
  fileResponse,
  IdParams,
  IfNoneMatch,
  notModified,
} from '../../server/http/route-schemas.ts';
import { holding } from '../../server/body/body-budgets.ts';
import { disconnection } from '../../server/http/response-end.ts';
import { IdempotencyKey, knownRequest } from '../../server/idempotency/idempotency-key.ts';
import { examplePage } from '../../server/pagination/page.ts';
import { GENERATION_ERRORS } from '../../templates/template-checks.ts';
import type { WorkList } from '../lists/work-list.ts';
import { readMapParameters, WorkQuery } from '../lists/work-query.ts';
import type { EndpointUrls } from '../../webhooks/endpoint-urls.ts';
import type { AttachmentPacker } from '../admission/attachment-packer.ts';
import { assertBodySize, attachmentsBodyLimit, readAttachments } from '../admission/request-attachments.ts';
import { readRequestEInvoice } from '../admission/e-invoice-field.ts';
import { workTemplate } from '../admission/work-template.ts';
import type { WorkGenerator } from '../work-generator.ts';
import { wantsFile } from './accept-header.ts';
import {
  DocumentData,
  DocumentPage,
  DocumentView,
  documentViewOf,
  EXAMPLE_DOCUMENT,
  EXAMPLE_UNFINISHED,
  FailedDocument,
  viewOf,
} from './document-view.ts';
import type { Documents, StoredDocument } from './documents.ts';
import { assertCompleted, checkDownloadKey, sendData, sendFile } from './download.ts';
import { GenerateBody, validateBody, type Presentation } from './generate-body.ts';

/** A failed request for the file still returns the document. */
const GenerationError = Type.Object(
  { ...ErrorBody.properties, document: Type.Optional(FailedDocument) },
  { title: 'GenerationError', description: 'An error, with the document if it could not be generated.' },
);

const createSchema = {
  operationId: 'createDocument',
  summary: 'Generate a document',
  description: [
    'Generates a document from a saved template (`template_id`) or from one in the request (`template`). Waits until the document is stored or has failed. With `async`, responds before the document is generated. With an `Accept` header that names the media type of the format (`application/pdf`), the response is the file itself, unless `async` or `webhook_url` is set.',
    'If the document takes longer than the time that the operator sets with `TRIFOLD_SYNC_WAIT` (30 s by default), a synchronous request returns 202 with the status `processing`, and generation continues. For a document that could not be generated, the response is 200 with the status `failed`. If you requested the file, the response is 422 `generation_failed`, and `document` in the error is the failed document.',
    "Before generation, the service checks the data against the template's schema. If the data is invalid, the response is 422 `data_invalid`, with an entry in `details` for each invalid field. Draft templates generate documents; archived templates do not.",
    "`template` also requires the `templates:write` scope. It is checked like a saved template, with error paths under `/template`. The service keeps its content for two to three days, and the content counts toward the account's stored bytes.",
    'The service makes `filename` safe. It adds the file extension for the format, replaces slashes with `_`, removes control characters and invisible formatting characters, and truncates the name to 255 bytes. Every key in the account can read `metadata`, so do not store secrets in it.',
    "If the document's e-invoice breaks a rule, the response is 422 `invoice_invalid`, with an entry in `details` for each problem.",
    'The files in `attachments` and any e-invoice are stored until the document completes or fails. The body may have up to 8 MiB if it has attachments.',
  ].join('\n\n'),
  tags: ['Documents'],
  body: GenerateBody,
  requestHeaders: IdempotencyKey,
  response: {
    200: fileResponse({ description: 'The completed or failed document, or its file.', json: DocumentView }),
    202: DocumentView,
    422: GenerationError,
  },
  links: {
    200: ['readDocument', 'downloadDocument', 'deleteDocument'],
    202: ['readDocument', 'downloadDocument', 'deleteDocument'],
  },
  responseHeaders: {
    200: ['Idempotency-Replayed', 'Content-Disposition', 'Content-Location', 'ETag'],
    202: ['Idempotency-Replayed'],
  },
  responseExamples: { 200: EXAMPLE_DOCUMENT, 202: EXAMPLE_UNFINISHED },
  errors: [...GENERATION_ERRORS, 'document_deleted', { code: 'generation_failed', statusCode: 422 }],
} as const;

const listSchema = {
  operationId: 'listDocuments',
  summary: 'List documents',
  description: [
    `Documents from the last ${DOCUMENT_LIFETIME}, newest first, created by \`POST /v1/generate\` or a GenerationJob. Batches are listed separately.`,
    'If you specify more than one `metadata` field, all of them must match. Deleted documents are not listed. If an account has more than about 250,000 finished documents, only the newest are listed. A status that another gateway has already returned can take a few milliseconds to appear.',
  ].join('\n\n'),
  tags: ['Documents'],
  querystring: WorkQuery,
  response: { 200: DocumentPage },
  responseExamples: { 200: examplePage(EXAMPLE_DOCUMENT) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readDocument',
  summary: 'Read the status of a document',
  description: `Returns the status of a document. This is the URL in its \`status_url\`. Any key in the account can read it. After \`expires_at\`, the response is 410 \`expired\`, or 404 for some documents created with kubectl.`,
  tags: ['Documents'],
  params: IdParams,
  response: { 200: DocumentView },
  responseExamples: { 200: EXAMPLE_DOCUMENT },
  errors: ['document_not_found', 'expired', 'document_deleted'],
} as const;

const downloadSchema = {
  operationId: 'downloadDocument',
  summary: 'Download a document',
  description:
    'Returns the file of a document. This is the URL in its `file_url`. Only the key that created the document can download it, unless the service allows every key in the account or the request comes from a dashboard session with access to the whole account. Any key in the account can download the document of a GenerationJob that was created with kubectl.',
  tags: ['Documents'],
  params: IdParams,
  requestHeaders: IfNoneMatch,
  response: { 200: fileResponse(), 304: notModified },
  responseHeaders: { 200: ['Content-Disposition', 'ETag'], 304: ['ETag'] },
  errors: [
    'document_not_found',
    'expired',
    'document_deleted',
    'different_key',
    'not_ready',
    'generation_failed',
  ],
} as const;

const dataSchema = {
  operationId: 'readDocumentData',
  summary: "Read a document's data",
  description: `The \`data\` from the request, with defaults filled in from the template's schema. Only keys that may download the document can read it. The data of a completed document is deleted: data in its GenerationJob (up to ${INLINE_DATA_LIMIT / 1024} KiB, or more with kubectl) together with the job, and all other data immediately. The data of a failed document is kept until \`expires_at\`, unless the service is configured not to keep it. Data counts toward the account's stored bytes.`,
  tags: ['Documents'],
  params: IdParams,
  response: { 200: DocumentData },
  responseExamples: { 200: { number: 'INV-2026-0042' } },
  errors: ['document_not_found', 'expired', 'document_deleted', 'different_key', 'data_deleted'],
} as const;

const deleteSchema = {
  operationId: 'deleteDocument',
  summary: 'Delete a document',
  description: [
    'Deletes the file before it responds. After that, requests for the document return 410 `document_deleted`. Only keys that may download the document can delete it. Documents in a batch cannot be deleted.',
    'An unfinished document fails with the code `cancelled`, triggers its event and is not billed. A finished document is still billed and counted. Data kept for a failed document is deleted with it. Small data and `metadata` are also in its GenerationJob, which, by default, is deleted about ten minutes after it finishes.',
  ].join('\n\n'),
  tags: ['Documents'],
  params: IdParams,
  response: { 200: Deleted },
  responseExamples: { 200: exampleOfDeleted(EXAMPLE_DOCUMENT) },
  errors: ['document_not_found', 'expired', 'document_deleted', 'different_key', 'batch_not_deletable'],
} as const;

/** POST /v1/generate, and the status, file and deletion of the document. */
export const documentRoutes: FastifyPluginAsyncTypebox<{
  readonly generator: WorkGenerator<GenerationJob, StoredDocument, Presentation>;
  readonly documents: Documents;
  readonly list: WorkList<GenerationJob, ListedDocument>;
  readonly store: ObjectStore;
  readonly packer: AttachmentPacker;
  /** Validates callback URLs. */
  readonly urls: EndpointUrls;
  readonly config: Pick<
    GatewayConfig,
    'maxBodyBytes' | 'keyBodyBudgetBytes' | 'syncWaitMs' | 'downloadAccess'
  >;
}> = async (app, { generator, documents, list, store, packer, urls, config }) => {
  const createOptions = {
    schema: createSchema,
    bodyLimit: attachmentsBodyLimit(config),
    preValidation: async ({ body, bodyBytes }: FastifyRequest) =>
      assertBodySize(body, bodyBytes, config.maxBodyBytes),
  };
  // Requests with the same Idempotency-Key create only one document.
  app.post('/v1/generate', createOptions, async (request, reply) => {
    const { caller, body } = request;
    const isFileWanted = wantsStream(request.headers.accept, body);
    const presentation = validateBody(body, urls);
    const { format } = presentation;
    const common = await readAttachments(packer, body.attachments, { format, path: '/attachments' });
    const wanted = {
      caller,
      requestId: request.id,
      template: workTemplate(body, caller),
      options: body.options,
      data: documentCheck(body.data, config.maxBodyBytes),
      attachments: { common, items: [] },
      eInvoice: await readRequestEInvoice(body.e_invoice, format),
      hold: holding(request),
      presentation,
      waitMs: body.async === true ? undefined : config.syncWaitMs,
      signal: disconnection(reply),
    };
    const { work: document, replayed } = await generator.generate(wanted, knownRequest(request));
    if (replayed) reply.header('idempotency-replayed', 'true');
    if (body.async === true || document.status === 'processing') {
      return reply.code(202).send(viewOf(document));
    }
    if (!isFileWanted) return reply.code(200).send(viewOf(document));
    if (document.status === 'failed') throw generationFailed(document);
    reply.header('content-location', documentFilePath(document.id));
    return sendFile(request, reply, document, store);
  });

  const listOptions = { schema: listSchema, preValidation: readMapParameters };
  app.get('/v1/generate', listOptions, async ({ caller, query }) => {
    const { data, pagination } = await list.page(caller.account, query);
    return { data: data.map(viewOf), pagination };
  });

  app.get('/v1/generate/:id', { schema: readSchema }, async (request) =>
    documentViewOf(await documents.get(request.caller.account, request.params.id)),
  );

  // Explicit HEAD routes: the ones that Fastify derives from GET would read the whole body and lose its length.
  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/generate/:id/data',
    schema: dataSchema,
    async handler(request, reply) {
      const document = await documents.get(request.caller.account, request.params.id);
      checkDownloadKey('document', document.keyId, request.caller, config.downloadAccess);
      return sendData(request, reply, document, documents);
    },
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: '/v1/generate/:id/download',
    schema: downloadSchema,
    async handler(request, reply) {
      const document = await documents.get(request.caller.account, request.params.id);
      checkDownloadKey('document', document.keyId, request.caller, config.downloadAccess);
      assertCompleted('The document', document, documentStatusPath(document.id));
      return sendFile(request, reply, document, store);
    },
  });

  app.delete('/v1/generate/:id', { schema: deleteSchema }, async ({ caller, params: { id } }) => {
    rejectBatch(id);
    const document = await documents.get(caller.account, id);
    checkDownloadKey('document', document.keyId, caller, config.downloadAccess);
    await documents.delete(caller.account, document);
    return { id, deleted: true as const };
  });
};

/** Throws ApiError `batch_not_deletable` for a batch ID or a batch item ID in the form `bat-…/7`. */
function rejectBatch(id: string): void {
  const [batch = ''] = id.split('/');
  if (!isId('bat', batch)) return;
  const message = `${batch} is a batch. Its documents cannot be deleted; they expire ${DOCUMENT_LIFETIME} after the batch was created.`;
  throw new ApiError('batch_not_deletable', message);
}

/**
 * Whether the response is the file itself: never when async is true or webhook_url is set (interface, "Generation").
 * Throws ApiError `invalid_request` if the caller requests a PDF but the format is a different one, because the caller
 * would save the file as a PDF.
 */
function wantsStream(accept: string | undefined, body: GenerateBody): boolean {
  const { format = 'pdf', async: asynchronous, webhook_url } = body;
  if (asynchronous === true || webhook_url !== undefined) return false;
  if (wantsFile(accept, format)) return true;
  if (wantsFile(accept, 'pdf')) throw notAcceptable(format);
  return false;
}

function notAcceptable(format: DocumentFormat): ApiError {
  const wanted = mediaTypeOf(format);
  const message = `is ${format}, but the Accept header requests application/pdf; request ${wanted} or application/json`;
  return new ApiError('invalid_request', `/format ${message}`, { details: [{ path: '/format', message }] });
}

/** 422 when the file was requested but generation failed; `document` is what the JSON response would contain. */
function generationFailed(document: StoredDocument): ApiError {
  const message = document.error?.message ?? 'The document could not be generated.';
  return new ApiError('generation_failed', message, {
    statusCode: 422,
    extra: { document: viewOf(document) },
  });
}
