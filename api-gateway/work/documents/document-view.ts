import {
  ClientMetadata,
  DOCUMENT_FORMATS,
  DocumentWarning,
  MAX_WARNINGS,
  StringEnum,
  Timestamp,
  DOCUMENT_LIFETIME,
} from '@trifold/crds';
import { documentFilePath, documentStatusPath } from '@trifold/platform/records/documents/api-paths.ts';
import type {
  FailedProgress,
  ListedDocument,
  ShownResult,
} from '@trifold/platform/records/documents/finished-document.ts';
import { picked } from '@trifold/platform/records/picked.ts';
import { Type, type Static } from 'typebox';
import { nullable } from '../../server/http/route-schemas.ts';
import { pageOf } from '../../server/pagination/page.ts';
import { ApiOptions, fromRenderOptions } from '../../options/api-options.ts';
import { documentProblem, ERROR_FIELDS } from './document-problem.ts';
import type { StoredDocument } from './documents.ts';

function milliseconds(description: string) {
  return Type.Number({ minimum: 0, description });
}

const common = {
  id: Type.String({ description: 'ID of the document.' }),
  template_id: nullable(Type.String(), 'ID of the template; null if the request contained the template.'),
  template_version: nullable(
    Type.Integer({ minimum: 1 }),
    'Version of the template; null if the request contained the template, or if the version is not selected yet.',
  ),
  request_id: nullable(
    Type.String(),
    'ID of the request that created the document, as in its `X-Request-Id` header; null for a document created with kubectl.',
  ),
  format: StringEnum(DOCUMENT_FORMATS, { description: 'File format.' }),
  status_url: Type.String({ description: 'Path of the status.' }),
  created_at: Timestamp({ description: 'Time of acceptance.' }),
  expires_at: Timestamp({
    description: `Time at which the file expires: ${DOCUMENT_LIFETIME} after \`created_at\`, or earlier if the GenerationJob sets \`expiresAt\`.`,
  }),
  filename: Type.Optional(
    Type.String({
      description: 'The `filename` from the request, if any, made safe and with its extension.',
    }),
  ),
  metadata: Type.Optional(ClientMetadata({ description: 'The `metadata` from the request, if any.' })),
  key_id: Type.Optional(
    nullable(
      Type.String(),
      'ID of the API key that created the document; null for a document created with kubectl. Returned only when you read a single document.',
    ),
  ),
  options: Type.Optional(
    nullable(
      ApiOptions,
      'The `options` from the request; null if the request had none or they are no longer stored. Options are stored for as long as the data. Returned only when you read a single document.',
    ),
  ),
};

const UnfinishedDocument = Type.Object(
  { ...common, status: StringEnum(['pending', 'processing']) },
  {
    title: 'UnfinishedDocument',
    description: 'A document that is waiting for a renderer or being rendered.',
  },
);

const TIMINGS =
  'Durations of the steps, in milliseconds. A failed document has only the steps that its last attempt began: the last one is the step that failed. Returned only when you read a single document.';
const steps = {
  queued_ms: milliseconds('Time spent waiting for a renderer.'),
  merge_ms: milliseconds('Time to merge the template with the data.'),
  print_ms: milliseconds('Time to print the document.'),
  store_ms: milliseconds('Time to store the file; 0 after the GenerationJob is deleted.'),
};
const DocumentTimings = Type.Object(steps, { description: TIMINGS });
const FailedTimings = Type.Object(Type.Partial(Type.Object(steps)).properties, { description: TIMINGS });

const CompletedDocument = Type.Object(
  {
    ...common,
    status: Type.Literal('completed'),
    file_url: Type.String({ description: 'Path of the file.' }),
    file_size: Type.Integer({ minimum: 0, description: 'File size in bytes.' }),
    render_time_ms: Type.Integer({ minimum: 0, description: 'Rendering time in milliseconds.' }),
    warnings: Type.Array(DocumentWarning, {
      maxItems: MAX_WARNINGS,
      description: 'Possible problems in the document; empty if there are none.',
    }),
    timings: Type.Optional(DocumentTimings),
  },
  { title: 'CompletedDocument', description: 'A document whose file can be downloaded.' },
);

/** A document that could not be generated. */
export const FailedDocument = Type.Object(
  {
    ...common,
    status: Type.Literal('failed'),
    error: documentProblem('Reason for the failure.'),
    warnings: Type.Array(DocumentWarning, {
      maxItems: MAX_WARNINGS,
      description:
        'Possible problems that the last attempt found before it failed. Empty if there were none.',
    }),
    attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Number of attempts; 0 if the document failed before the first one. Returned only when you read a single document.',
      }),
    ),
    total_time_ms: Type.Optional(
      milliseconds(
        'Time from acceptance to failure, including all attempts and the waits between them. Returned only when you read a single document.',
      ),
    ),
    has_own_e_invoice: Type.Optional(
      Type.Boolean({
        description:
          'Whether the request contained its own `e_invoice`, which is no longer stored. Returned only when you read a single document.',
      }),
    ),
    timings: Type.Optional(FailedTimings),
  },
  { title: 'FailedDocument', description: 'A document that could not be generated.' },
);

const VARIANTS = [UnfinishedDocument, CompletedDocument, FailedDocument];
export type DocumentView = Static<(typeof VARIANTS)[number]>;

/**
 * A generation as the API shows it (interface, "Generation (document)"). `oneOf` with a discriminator, because client
 * generators merge the fields of `anyOf`.
 */
export const DocumentView = Type.Unsafe<DocumentView>({
  title: 'Document',
  description: 'A document. Its fields depend on `status`; completed and failed are final.',
  oneOf: VARIANTS,
  discriminator: {
    propertyName: 'status',
    mapping: {
      pending: '#/components/schemas/UnfinishedDocument',
      processing: '#/components/schemas/UnfinishedDocument',
      completed: '#/components/schemas/CompletedDocument',
      failed: '#/components/schemas/FailedDocument',
    },
  },
});

/** The data of a document. */
export const DocumentData = Type.Unsafe<object>({
  type: 'object',
  title: 'DocumentData',
  description: 'Values for the bindings.',
});

export const EXAMPLE_UNFINISHED: Static<typeof UnfinishedDocument> = {
  id: 'gen-01m7yr47s8mf3c9w2k5hq7x4tz',
  template_id: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha',
  template_version: 3,
  request_id: 'req-01m7yr47s7e5g7j9m1p3r5t7v9',
  format: 'pdf',
  status_url: '/v1/generate/gen-01m7yr47s8mf3c9w2k5hq7x4tz',
  created_at: '2026-11-21T09:59:57.000Z',
  expires_at: '2026-11-22T09:59:57.000Z',
  filename: 'INV-2026-0042.pdf',
  metadata: { order: 'A-17' },
  status: 'processing',
};

export const EXAMPLE_DOCUMENT: Static<typeof CompletedDocument> = {
  ...EXAMPLE_UNFINISHED,
  status: 'completed',
  file_url: '/v1/generate/gen-01m7yr47s8mf3c9w2k5hq7x4tz/download',
  file_size: 48_213,
  render_time_ms: 164,
  warnings: [],
};

export const DocumentPage = pageOf(DocumentView, 'DocumentList');

/** Returns the API view of one document, including the fields that lists do not show. */
export function documentViewOf(document: StoredDocument): DocumentView {
  const { keyId, options, result, progress } = document;
  const own = { key_id: keyId ?? null, options: options ? fromRenderOptions(options) : null };
  const view = viewOf(document);
  if (view.status === 'failed') {
    const { attempts = 0, timings = {}, finishedAt = document.createdAt } = progress ?? {};
    const has_own_e_invoice = document.hasOwnEInvoice === true;
    // Clock skew between machines can make a duration negative.
    const total_time_ms = Math.max(0, Date.parse(finishedAt) - Date.parse(document.createdAt));
    const failed = { attempts, total_time_ms, has_own_e_invoice, timings: failedTimings(timings) };
    return { ...view, ...own, ...failed };
  }
  return { ...view, ...own, ...(result?.timings && { timings: timingsOf(result.timings) }) };
}

function failedTimings({
  queuedMs,
  mergeMs,
  printMs,
  storeMs,
}: NonNullable<ShownResult['timings']>): Static<typeof FailedTimings> {
  return {
    ...(queuedMs !== undefined && { queued_ms: queuedMs }),
    ...(mergeMs !== undefined && { merge_ms: mergeMs }),
    ...(printMs !== undefined && { print_ms: printMs }),
    ...(storeMs !== undefined && { store_ms: storeMs }),
  };
}

function timingsOf({
  queuedMs = 0,
  mergeMs = 0,
  printMs = 0,
  storeMs = 0,
}: NonNullable<ShownResult['timings']>): Static<typeof DocumentTimings> {
  return { queued_ms: queuedMs, merge_ms: mergeMs, print_ms: printMs, store_ms: storeMs };
}

/** Returns the API view of a document. URLs are relative to the service (interface, same place). */
export function viewOf(document: ListedDocument): DocumentView {
  const { id, format, filename, metadata } = document;
  const common = {
    id,
    template_id: document.template ?? null,
    template_version: document.version ?? null,
    request_id: document.requestId ?? null,
    format,
    status_url: documentStatusPath(id),
    created_at: document.createdAt,
    expires_at: document.expiresAt,
    ...(filename !== undefined && { filename }),
    ...(metadata && { metadata }),
  };
  switch (document.status) {
    case 'pending':
    case 'processing':
      return { ...common, status: document.status };
    case 'completed':
      return {
        ...common,
        status: document.status,
        file_url: documentFilePath(id),
        file_size: document.result.size,
        render_time_ms: document.result.renderTimeMs,
        warnings: [...document.result.warnings],
      };
    case 'failed':
      return {
        ...common,
        status: document.status,
        error: picked(document.error, ERROR_FIELDS),
        warnings: warningsOf(document.progress),
      };
  }
}

function warningsOf({ warnings }: FailedProgress = { warnings: [] }): DocumentWarning[] {
  return [...warnings];
}
