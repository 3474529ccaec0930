import {
  DELETED_ANNOTATION,
  documentKeyOf,
  GENERATION_JOB,
  recordKey,
  type DocumentWarning,
  type GenerationJob,
  type JobError,
} from '@trifold/crds';
import { decodeFacts, type DocumentFacts } from '@trifold/platform/records/documents/document-facts.ts';
import type { DocumentRecord } from '@trifold/platform/records/documents/document-record.ts';
import { factsOf } from '@trifold/platform/records/documents/job-facts.ts';
import {
  CANCELLED,
  eraseDocument,
  isDeleted,
  isTombstone,
} from '@trifold/platform/records/documents/tombstone.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectInfo } from '@trifold/platform/object-store/port.ts';
import { decodeResultFacts } from '@trifold/platform/render-queue/result-facts.ts';
import { stateOf, WorkReader, type WorkReaderOptions } from '../work-reader.ts';
import { UNKNOWN_ERROR } from '@trifold/platform/service/document-error.ts';

/** Result of a finished document. */
export interface DocumentResult {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly renderTimeMs: number;
  readonly warnings: readonly DocumentWarning[];
}

/** Current state of a document, from its resource, file or failure record. */
export type StoredDocument = DocumentOrigin &
  (
    | { readonly status: 'pending' | 'processing'; readonly result?: undefined; readonly error?: undefined }
    | { readonly status: 'completed'; readonly result: DocumentResult; readonly error?: undefined }
    | { readonly status: 'failed'; readonly result?: undefined; readonly error: JobError }
  );

interface DocumentOrigin {
  readonly facts: DocumentFacts;
  /** Key of the file in the object store. */
  readonly key: string;
  /** Whether a client deleted it. */
  readonly isDeleted?: boolean;
}

/**
 * Finds documents: in their resource while it exists, afterwards in the metadata of the stored file and in the record.
 */
export class Documents extends WorkReader<GenerationJob, StoredDocument> {
  protected override readonly ofResource = documentOf;
  readonly #clock: Clock;

  constructor(options: WorkReaderOptions) {
    super('document', GENERATION_JOB, options);
    this.#clock = options.clock;
  }

  /**
   * Deletes a document. The annotation makes the controller cancel an unfinished job, and hides a finished one. The file
   * is gone when this resolves, also when the controller deleted the resource meanwhile. Idempotent.
   */
  async delete(account: string, { facts, key }: StoredDocument): Promise<void> {
    const annotations = { [DELETED_ANNOTATION]: this.#clock.now().toISOString() };
    try {
      await this.client.patch({ namespace: account, name: facts.job }, { metadata: { annotations } });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
    await eraseDocument(this.store, { account, key, facts });
  }

  protected override async findArchived(
    _account: string,
    id: string,
    key: string,
  ): Promise<StoredDocument | undefined> {
    const [info, body] = await Promise.all([this.store.head(key), this.store.read(recordKey(key))]);
    const record = body && (JSON.parse(body.toString()) as DocumentRecord);
    const file = info && (deletedDocument(info) ?? storedFile(info, record));
    if (file?.facts.job === id) return file;
    return record?.job === id ? failedDocument(record, key) : undefined;
  }
}

/**
 * Converts a stored object and the record of its document; undefined if the object's metadata is not that of a finished
 * document.
 */
function storedFile(info: ObjectInfo, record: DocumentRecord | undefined): StoredDocument | undefined {
  const facts = decodeFacts(info.metadata);
  const result = decodeResultFacts(info);
  if (!facts || !result) return undefined;
  const own: Partial<DocumentRecord> = record?.uid === facts.uid ? record : {};
  // A renderer may store its file after its deadline: a document that was reported as failed stays failed.
  if (own.error) return undefined;
  const { metadata, warnings = [] } = own;
  return {
    facts: { ...facts, ...(metadata && { metadata }) },
    status: 'completed',
    key: info.key,
    result: { ...result, warnings },
  };
}

function deletedDocument(info: ObjectInfo): StoredDocument | undefined {
  const facts = isTombstone(info) ? decodeFacts(info.metadata) : undefined;
  return facts && { facts, status: 'failed', key: info.key, error: CANCELLED, isDeleted: true };
}

function failedDocument(record: DocumentRecord, key: string): StoredDocument | undefined {
  const { error } = record;
  return error && { facts: record, status: 'failed', key, error };
}

/** Converts a GenerationJob. */
export function documentOf(job: GenerationJob): StoredDocument {
  const common = { facts: factsOf(job), key: documentKeyOf(job), isDeleted: isDeleted(job) };
  const status = stateOf(job.status?.phase);
  if (status === 'completed') return { ...common, status, result: resultOf(job) };
  if (status !== 'failed') return { ...common, status };
  return { ...common, status, error: job.status?.error ?? UNKNOWN_ERROR };
}

function resultOf({ status }: GenerationJob): DocumentResult {
  return {
    size: status?.size ?? 0,
    sha256: status?.sha256 ?? '',
    renderTimeMs: status?.renderTimeMs ?? 0,
    warnings: status?.warnings ?? [],
  };
}
