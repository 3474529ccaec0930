import {
  DELETED_ANNOTATION,
  documentKeyOf,
  GENERATION_JOB,
  recordKey,
  type GenerationJob,
} from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ObjectInfo } from '@trifold/platform/object-store/port.ts';
import {
  CANCELLED,
  documentFile,
  documentOf,
  eraseDocument,
  isDeleted,
  isTombstone,
  type Document,
  type FinishedDocument,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { WorkReader, type WorkReaderOptions } from '../work-reader.ts';

/** Current state of a document, from its resource, file or record. */
export type StoredDocument = Document & {
  /** Key of the file in the object store. */
  readonly key: string;
  /** Whether a client deleted it. */
  readonly isDeleted?: boolean;
};

/**
 * Finds documents: in their resource while it exists, afterwards in the metadata of the stored file and in the record.
 */
export class Documents extends WorkReader<GenerationJob, StoredDocument> {
  protected override readonly ofResource = storedDocument;
  readonly #clock: Clock;

  constructor(options: WorkReaderOptions) {
    super('document', GENERATION_JOB, options);
    this.#clock = options.clock;
  }

  /**
   * Deletes a document. The annotation makes the controller cancel an unfinished job, and hides a finished one. The file
   * is gone when this resolves, also when the controller deleted the resource meanwhile. Idempotent.
   */
  async delete(account: string, document: StoredDocument): Promise<void> {
    const annotations = { [DELETED_ANNOTATION]: this.#clock.now().toISOString() };
    try {
      await this.client.patch({ namespace: account, name: document.id }, { metadata: { annotations } });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
    await eraseDocument(this.store, account, document.key, document);
  }

  protected override async findArchived(
    _account: string,
    id: string,
    key: string,
  ): Promise<StoredDocument | undefined> {
    const [info, body] = await Promise.all([this.store.head(key), this.store.read(recordKey(key))]);
    const file = info && storedFile(info);
    const record = body && { ...(JSON.parse(body.toString()) as FinishedDocument), key };
    const [ownFile, ownRecord] = [file, record].map((found) => (found?.id === id ? found : undefined));
    return ownFile ? latestOf(ownFile, ownRecord) : failedOnly(ownRecord);
  }
}

/** A record says more than the file of the same document, except once the document is deleted. */
function latestOf(file: StoredDocument, record: StoredDocument | undefined): StoredDocument {
  return !file.isDeleted && record?.uid === file.uid ? record : file;
}

/** A completed document needs its file; a failed one has none, or one that a renderer stored after the deadline. */
function failedOnly(record: StoredDocument | undefined): StoredDocument | undefined {
  return record?.status === 'failed' ? record : undefined;
}

/** Converts a stored object; undefined if its metadata is neither that of a finished document nor that of a tombstone. */
function storedFile(info: ObjectInfo): StoredDocument | undefined {
  const { document, result } = documentFile(info) ?? {};
  if (!document) return undefined;
  const common = { ...document, key: info.key };
  if (isTombstone(info)) return { ...common, status: 'failed', error: CANCELLED, isDeleted: true };
  return result && { ...common, status: 'completed', result: { ...result, warnings: [] } };
}

/** Converts a GenerationJob. */
export function storedDocument(job: GenerationJob): StoredDocument {
  return { ...documentOf(job), key: documentKeyOf(job), isDeleted: isDeleted(job) };
}
