import { dataKey, revisionKey, revisionTimeOf, type Batch, type GenerationJob } from '@trifold/crds';
import { METADATA_LIMIT, metadataSize } from '@trifold/platform/object-store/object-metadata.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { AcceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import {
  documentMetadata,
  LARGEST_RESULT_METADATA,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { TrackedDocument } from './tracked-work.ts';
import { WorkError } from './work-error.ts';

/** Maximum size of the document's metadata on its file, as counted by the store; the renderer adds the result. */
const LARGEST_DOCUMENT_METADATA = METADATA_LIMIT - LARGEST_RESULT_METADATA;

/** Time within which a renderer may begin a dispatched task, in milliseconds. */
const BEGIN_MS = 15 * 60_000;
/**
 * Maximum time from the start of a task to the upload of its file, as a multiple of its deadline: the wait for a
 * browser does not count toward the deadline, and can take up to twice the deadline.
 */
const MAX_DEADLINES_OF_TASK = 3;
/** Time for the upload itself, in milliseconds. */
const PUT_MS = 60_000;

/** The task fields that an attempt adds. */
export type Dispatch = Pick<RenderTask, 'id' | 'queue' | 'deadlineMs' | 'exclusive' | 'enqueuedAt'>;

/** The document that a task renders. */
export interface TaskDocument extends Pick<TrackedDocument, 'key'> {
  readonly document: AcceptedDocument;
  /** The data as JSON, if the task carries it. */
  readonly data?: string | undefined;
  /** Keys of its attachments. @default none */
  readonly attachmentKeys?: readonly string[];
}

/**
 * Returns the task that renders a document of a job or batch with a pinned revision. Throws WorkError if the metadata
 * of its file cannot be stored.
 */
export function renderTaskOf(
  { metadata, spec, status }: GenerationJob | Batch,
  { key, document: { metadata: _metadata, ...document }, data, attachmentKeys = [] }: TaskDocument,
  dispatch: Dispatch,
): RenderTask {
  const { namespace: account = 'default', name } = metadata;
  const revision = spec.revision ?? status?.revision;
  if (revision === undefined || key === undefined)
    throw new Error(`the revision or key of ${name} is not set`);
  assertStorable(document);
  return {
    ...dispatch,
    account,
    document,
    revisionKey: revisionKey(account, revision, revisionTimeOf({ metadata })),
    dataKey: dataKey(key),
    ...(data !== undefined && { data }),
    ...(attachmentKeys.length > 0 && { attachmentKeys }),
    resultKey: key,
    options: spec.options ?? {},
  };
}

/** Throws WorkError if the file's metadata would be too large. */
function assertStorable(document: AcceptedDocument): void {
  const bytes = metadataSize(documentMetadata(document));
  if (bytes <= LARGEST_DOCUMENT_METADATA) return;
  const message = `the names of the job, the template and the file have ${bytes} bytes in total; the limit is ${LARGEST_DOCUMENT_METADATA}: use shorter names`;
  throw new WorkError('names_too_long', message);
}

/**
 * Returns the task with presigned requests for exactly its objects: a renderer has no store credentials
 * (docs/adr/0038-renderers-without-keys.md). The requests remain valid even for a document begun at the last moment.
 * For a store without URLs, the task is returned unchanged.
 */
export async function withAccess(task: RenderTask, store: Pick<ObjectStore, 'presign'>): Promise<RenderTask> {
  const { revisionKey, dataKey: key, data, attachmentKeys = [], resultKey, document, deadlineMs } = task;
  const maxMs = deadlineMs * MAX_DEADLINES_OF_TASK + PUT_MS;
  const access = {
    read: [revisionKey, ...(data === undefined ? [key] : []), ...attachmentKeys],
    head: [resultKey],
    put: { key: resultKey, metadata: documentMetadata(document) },
  };
  const presigned = await store.presign(access, BEGIN_MS + maxMs);
  if (!presigned) return task;
  const { requests, expiresAt } = presigned;
  return {
    ...task,
    presigned: requests,
    expiresAt: new Date(expiresAt.getTime() - maxMs).toISOString(),
  };
}
