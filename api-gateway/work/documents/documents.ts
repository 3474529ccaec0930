import {
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
import type { ObjectInfo } from '@trifold/platform/object-store/port.ts';
import { decodeResultFacts } from '@trifold/platform/render-queue/result-facts.ts';
import { stateOf, WorkReader, type WorkReaderOptions } from '../work-reader.ts';

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
}

/**
 * Finds documents: in their resource while it exists, afterwards in the metadata of the stored file and in the record.
 */
export class Documents extends WorkReader<GenerationJob, StoredDocument> {
  protected override readonly ofResource = documentOf;

  constructor(options: WorkReaderOptions) {
    super('document', GENERATION_JOB, options);
  }

  protected override async findArchived(
    _account: string,
    id: string,
    key: string,
  ): Promise<StoredDocument | undefined> {
    const [info, body] = await Promise.all([this.store.head(key), this.store.read(recordKey(key))]);
    const record = body && (JSON.parse(body.toString()) as DocumentRecord);
    const file = info && storedFile(info, record);
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

function failedDocument(record: DocumentRecord, key: string): StoredDocument | undefined {
  const { error } = record;
  return error && { facts: record, status: 'failed', key, error };
}

/** Converts a GenerationJob. */
export function documentOf(job: GenerationJob): StoredDocument {
  const common = { facts: factsOf(job), key: documentKeyOf(job) };
  const status = stateOf(job.status?.phase);
  if (status === 'completed') return { ...common, status, result: resultOf(job) };
  if (status !== 'failed') return { ...common, status };
  const unknown = { code: 'unknown', message: 'The job failed; no reason was written down.' };
  return { ...common, status, error: job.status?.error ?? unknown };
}

function resultOf({ status }: GenerationJob): DocumentResult {
  return {
    size: status?.size ?? 0,
    sha256: status?.sha256 ?? '',
    renderTimeMs: status?.renderTimeMs ?? 0,
    warnings: status?.warnings ?? [],
  };
}
