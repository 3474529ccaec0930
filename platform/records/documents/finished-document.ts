import {
  DELETED_ANNOTATION,
  OWN_E_INVOICE_ANNOTATION,
  recordKey,
  type DocumentResult,
  type DocumentStatus,
  type DocumentWarning,
  type GenerationJob,
  type GenerationJobStatus,
  type GenerationPhase,
  type JobError,
  type RenderOptions,
} from '@trifold/crds';
import type { ObjectInfo, ObjectStore } from '../../object-store/port.ts';
import { documentFailure, UNKNOWN_ERROR } from '../../errors/document-error.ts';
import { picked } from '../picked.ts';
import { acceptedDocument, type AcceptedDocument } from './accepted-work.ts';
import { WorkIndex } from './work-index.ts';

/*
 * A document has one value, and one encoding for each place where it is stored:
 * - the status of its job or batch item: `documentState` reads it, controller/work/status-parts.ts writes it;
 * - the metadata of its file: what is known at dispatch, and the result;
 * - a record, for what the file metadata does not contain;
 * - an index row, for lists.
 */

/** States of a document, a batch or an item (docs/interface-choices.md); the last two are final. */
export const WORK_STATES = ['pending', 'processing', 'completed', 'failed'] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** Parts of a completed document's result that responses, lists and records show. */
export interface ShownResult {
  /** Size in bytes. */
  readonly size: number;
  readonly renderTimeMs: number;
  readonly warnings: readonly DocumentWarning[];
  /** Durations of the steps; lists omit them. */
  readonly timings?: Timings;
}

/** Information about a failed document, in addition to its error. */
export interface FailedProgress {
  /** Found in the last attempt. */
  readonly warnings: readonly DocumentWarning[];
  /** Number of attempts; lists omit it and the fields below. @default none */
  readonly attempts?: number;
  /** Durations of the steps that the last attempt began; absent if no renderer reported it. */
  readonly timings?: Timings;
  /** ISO 8601. */
  readonly finishedAt?: string;
}

type Timings = NonNullable<GenerationJobStatus['timings']>;

/** A document's progress or final state. */
export type DocumentState =
  | {
      readonly status: 'pending' | 'processing';
      readonly result?: undefined;
      readonly error?: undefined;
      readonly progress?: undefined;
    }
  | DocumentEnd;

/** A document's final state. */
export type DocumentEnd =
  | {
      readonly status: 'completed';
      readonly result: ShownResult;
      readonly error?: undefined;
      readonly progress?: undefined;
    }
  | {
      readonly status: 'failed';
      readonly result?: undefined;
      readonly error: JobError;
      readonly progress?: FailedProgress;
    };

/** A document at any point in its lifecycle. */
export type Document = AcceptedDocument & DocumentState;

/** A completed or failed document. */
export type FinishedDocument = AcceptedDocument & DocumentEnd;

/** A document's record, as JSON. */
export type DocumentRecord = FinishedDocument & {
  /** Options of a failed document whose data is kept. */
  readonly options?: RenderOptions;
  /** Set for a failed document whose request contained its own e-invoice. */
  readonly hasOwnEInvoice?: true;
};

const STATES: Readonly<Record<GenerationPhase, WorkState>> = {
  Pending: 'pending',
  Processing: 'processing',
  Completed: 'completed',
  Failed: 'failed',
};

/** Returns the state shown for a phase. */
export function stateOf(phase: GenerationPhase = 'Pending'): WorkState {
  return STATES[phase];
}

/** Reads the status of a job or batch item. */
export function documentState({
  phase,
  ...end
}: DocumentStatus & Pick<GenerationJobStatus, 'timings' | 'finishedAt'> = {}): DocumentState {
  const status = stateOf(phase);
  const { size = 0, renderTimeMs = 0, warnings = [], timings, error = UNKNOWN_ERROR } = end;
  switch (status) {
    case 'completed':
      return { status, result: { size, renderTimeMs, warnings, ...(timings && { timings }) } };
    case 'failed':
      return { status, error, progress: { warnings, ...progressOf(end) } };
    default:
      return { status };
  }
}

function progressOf({
  attempt,
  timings,
  finishedAt,
}: Pick<GenerationJobStatus, 'attempt' | 'timings' | 'finishedAt'>): Omit<FailedProgress, 'warnings'> {
  return {
    ...(attempt !== undefined && { attempts: attempt }),
    ...(timings && { timings }),
    ...(finishedAt !== undefined && { finishedAt }),
  };
}

export function documentOf(job: GenerationJob): Document {
  return { ...acceptedDocument(job), ...documentState(job.status) };
}

/** Whether the document is completed or failed. */
export function isEnded(document: Document): document is FinishedDocument {
  return document.status === 'completed' || document.status === 'failed';
}

const LISTED = [
  'id',
  'uid',
  'template',
  'version',
  'format',
  'filename',
  'metadata',
  'requestId',
  'createdAt',
  'expiresAt',
] as const;

/** Fields of a document that lists show and search. */
export type ListedDocument = Pick<AcceptedDocument, (typeof LISTED)[number]> & DocumentState;

/** A finished document in the account's work index: the fields that lists show. */
export type DocumentRow = Pick<AcceptedDocument, (typeof LISTED)[number]> & DocumentEnd;

/** Returns the row of a job, or undefined if it is not finished. */
export function documentRowOf(job: GenerationJob): DocumentRow | undefined {
  const document = documentOf(job);
  if (!isEnded(document)) return undefined;
  const listed = picked(document, LISTED);
  return document.status === 'completed'
    ? { ...listed, ...picked(document, ['status', 'result']) }
    : { ...listed, ...picked(document, ['status', 'error', 'progress']) };
}

/**
 * Returns the record of a job, or undefined if it is not finished or its file metadata contains the same information.
 */
export function documentRecordOf(job: GenerationJob): DocumentRecord | undefined {
  const document = documentOf(job);
  if (!isEnded(document)) return undefined;
  const isInFile = document.result?.warnings.length === 0 && !document.metadata;
  if (isInFile) return undefined;
  const { options } = job.spec;
  return { ...document, ...(document.error && { ...(options && { options }), ...ownEInvoiceMember(job) }) };
}

/**
 * A result in its file's metadata, without fields that are too long or that the store itself records.
 */
export type StoredResult = Omit<DocumentResult, 'size' | 'warnings'>;

/** An object's metadata about the document stored under its key. */
export interface DocumentFile {
  /** Excludes the client's metadata; a tombstone has no file name. */
  readonly document: AcceptedDocument;
  /** Undefined in a tombstone. */
  readonly result?: DocumentResult;
}

const IN_FILE = [
  'id',
  'uid',
  'template',
  'version',
  'format',
  'mode',
  'keyId',
  'requestId',
  'createdAt',
  'expiresAt',
] as const;
const DOCUMENT = 'document';
const FILENAME = 'filename';
/** A renderer may add entries to signed metadata only under names that begin with `result-`. */
const RESULT = 'result-metadata';
const TOMBSTONE = 'tombstone';

/** Encodes what is known at a document's dispatch, without the client's metadata, as metadata of its file. */
export function documentMetadata(document: AcceptedDocument): Record<string, string> {
  const { filename } = document;
  return {
    [DOCUMENT]: JSON.stringify(picked(document, IN_FILE)),
    // A separate entry: a Unicode name must not cause the store to encode the others.
    ...(filename !== undefined && { [FILENAME]: filename }),
  };
}

/** Maximum size of the result in a file's metadata, in bytes as the store counts them. */
export const LARGEST_RESULT_METADATA = 320;

/** Encodes a document's result as metadata of its file. */
export function resultMetadata(result: StoredResult): Record<string, string> {
  return { [RESULT]: JSON.stringify(result) };
}

/** Decodes an object's metadata; undefined if it belongs to neither a document nor a tombstone. */
export function documentFile(info: Pick<ObjectInfo, 'metadata' | 'size'>): DocumentFile | undefined {
  const { [DOCUMENT]: members, [FILENAME]: filename } = info.metadata;
  const document = parsed<AcceptedDocument>(members) as AcceptedDocument | undefined;
  if (!document?.id || !document.uid) return undefined;
  const result = storedResult(info);
  return {
    document: { ...document, ...(filename !== undefined && { filename }) },
    ...(result && { result }),
  };
}

/** Decodes the result of a stored file; undefined if it is not the metadata of a completed document. */
export function storedResult({
  metadata,
  size,
}: Pick<ObjectInfo, 'metadata' | 'size'>): DocumentResult | undefined {
  const result = parsed<StoredResult>(metadata[RESULT]);
  return result && isComplete(result) ? { ...result, size } : undefined;
}

function parsed<T>(json: string | undefined): Partial<T> | undefined {
  try {
    return (JSON.parse(json ?? 'null') as T | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Checks every field, because a renderer wrote the result. */
function isComplete(result: Partial<StoredResult>): result is StoredResult {
  const { pages, renderTimeMs, sha256, timings, startedAt, finishedAt } = result;
  const { queuedMs, mergeMs, printMs, storeMs } = timings ?? {};
  const numbers = [pages, renderTimeMs, queuedMs, mergeMs, printMs, storeMs];
  const times = [startedAt, finishedAt].map((text) => Date.parse(text ?? ''));
  return (
    [...numbers, ...times].every((value) => Number.isFinite(value)) && /^[0-9a-f]{64}$/.test(sha256 ?? '')
  );
}

export const CANCELLED = documentFailure('cancelled', 'the document was deleted before it was finished');

/** Whether a client deleted the job's document. */
export function isDeleted({ metadata }: Pick<GenerationJob, 'metadata'>): boolean {
  return metadata.annotations?.[DELETED_ANNOTATION] !== undefined;
}

/** Returns whether the request of a job contained its own e-invoice, as a field; none if it did not. */
export function ownEInvoiceMember({ metadata }: Pick<GenerationJob, 'metadata'>): {
  readonly hasOwnEInvoice?: true;
} {
  return metadata.annotations?.[OWN_E_INVOICE_ANNOTATION] === undefined ? {} : { hasOwnEInvoice: true };
}

/** Whether an object is the tombstone that `eraseDocument` leaves in place of a file. */
export function isTombstone({ metadata }: Pick<ObjectInfo, 'metadata'>): boolean {
  return metadata[TOMBSTONE] !== undefined;
}

/**
 * Replaces a deleted document's file with a tombstone, deletes its record, and hides it from lists. A renderer that
 * finishes later cannot store its file, because files are stored only where no object exists
 * (docs/adr/0028-tombstones.md). `key`: the file's key. Idempotent. Does nothing if another document with the same ID
 * is stored under the key. Rejects with ObjectStoreError.
 */
export async function eraseDocument(
  store: ObjectStore,
  account: string,
  key: string,
  document: AcceptedDocument,
): Promise<void> {
  const info = await store.head(key);
  if (info && documentFile(info)?.document.uid !== document.uid) return;
  if (!info || !isTombstone(info)) {
    const { filename: _filename, ...kept } = document;
    await store.put(key, '', { metadata: { ...documentMetadata(kept), [TOMBSTONE]: 'true' } });
  }
  await store.delete(recordKey(key));
  // Lists read the creation day until the document expires.
  await new WorkIndex(store).markDeleted(account, document.id, new Date(document.createdAt));
}
