import {
  dataKey,
  DELETED_ANNOTATION,
  documentKeyOf,
  documentKeyOfId,
  GATEWAY_LABEL,
  GENERATION_JOB,
  INLINE_DATA_LIMIT,
  OWN_E_INVOICE_ANNOTATION,
  inputKeys,
  recordKey,
  type GenerationJob,
  type GenerationJobSpec,
  type RenderOptions,
} from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ObjectInfo, StoredObject } from '@trifold/platform/object-store/port.ts';
import {
  CANCELLED,
  documentFile,
  documentOf,
  eraseDocument,
  isDeleted,
  isEnded,
  isTombstone,
  ownEInvoiceMember,
  type Document,
  type DocumentRecord,
} from '@trifold/platform/records/documents/finished-document.ts';
import { inlineJson } from '@trifold/platform/records/documents/inline-data.ts';
import { nestsTooDeep } from '@trifold/platform/request-body/json-size.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { AdmittedWork, WorkRequest } from '../admission/admission.ts';
import { attachmentsObject } from '../admission/request-attachments.ts';
import { weightLabels } from '../admission/work-weight.ts';
import { WorkRepository, type WorkDraft, type WorkRepositoryOptions } from '../work-repository.ts';
import type { Presentation } from './generate-body.ts';

/** Current state of a document, read from its resource, file or record. */
export type StoredDocument = Document & {
  /** Options from the request; undefined if it had none or they are no longer stored. */
  readonly options?: RenderOptions;
  /** Whether the request contained its own e-invoice; known only of a failed document. */
  readonly hasOwnEInvoice?: boolean;
  /** Key of the file in the object store. */
  readonly key: string;
  /** Whether a client deleted the document. */
  readonly isDeleted?: boolean;
};

/**
 * Documents, read from their resource while it exists, and afterwards from the stored file's metadata and the record.
 */
export class Documents extends WorkRepository<GenerationJob, StoredDocument, Presentation> {
  override readonly stored = storedDocument;
  readonly #clock: Clock;
  /** Label value of the jobs that this gateway waits for. */
  readonly #gateway: string;

  constructor(options: WorkRepositoryOptions & { readonly gateway: string }) {
    super('document', GENERATION_JOB, options);
    this.#clock = options.clock;
    this.#gateway = options.gateway;
  }

  /** A job that the gateway waits for is interactive. Small data is part of the job. */
  override draft(
    work: AdmittedWork,
    { presentation, waitMs, eInvoice }: WorkRequest<Presentation>,
  ): WorkDraft<GenerationJob> {
    const {
      id,
      account,
      attachments,
      data: [json],
    } = work;
    const labels = {
      ...weightLabels(work.spec.options),
      ...(waitMs !== undefined && { [GATEWAY_LABEL]: this.#gateway }),
    };
    const metadata = {
      name: id,
      namespace: account,
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(eInvoice && { annotations: { [OWN_E_INVOICE_ANNOTATION]: 'true' } }),
    };
    const documentKey = documentKeyOfId(account, id) ?? id;
    const { objects, ref } = attachmentsObject(attachments.common, documentKey);
    const spec: GenerationJobSpec = { ...work.spec, ...presentation, ...ref };
    if (json.byteLength <= INLINE_DATA_LIMIT) {
      const data = JSON.parse(Buffer.from(json).toString()) as Record<string, unknown>;
      return { resource: { metadata, spec: { ...spec, data } }, input: objects };
    }
    const key = dataKey(documentKey);
    const dataRef = { key, sha256: sha256Hex(json), size: json.byteLength };
    return { resource: { metadata, spec: { ...spec, dataRef } }, input: [[key, json], ...objects] };
  }

  /**
   * Returns a document's data: as JSON from its resource, or as a stream from the object store. Undefined if the data
   * has been deleted.
   */
  async data(account: string, { id, uid, key }: StoredDocument): Promise<string | StoredObject | undefined> {
    const job = await this.client.find(account, id);
    const isInline = job?.metadata.uid === uid && job.spec.data && !nestsTooDeep(job.spec.data);
    return isInline ? inlineJson(this.client, job) : this.store.get(dataKey(key));
  }

  /**
   * Deletes a document. The annotation makes the controller cancel an unfinished job, and hides a finished one. The
   * file is gone when this resolves, even if the controller deleted the resource in the meantime. Idempotent.
   */
  async delete(account: string, document: StoredDocument): Promise<void> {
    const annotations = { [DELETED_ANNOTATION]: this.#clock.now().toISOString() };
    try {
      await this.client.patch({ namespace: account, name: document.id }, { metadata: { annotations } });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
    // A renderer may still read the input of an unfinished document; the controller deletes it.
    const unused = isEnded(document) ? inputKeys(document.key) : [];
    await Promise.all(unused.map((key) => this.store.delete(key)));
    await eraseDocument(this.store, account, document.key, document);
  }

  protected override async findArchived(
    _account: string,
    id: string,
    key: string,
  ): Promise<StoredDocument | undefined> {
    const [info, body] = await Promise.all([this.store.head(key), this.store.read(recordKey(key))]);
    const file = info && storedFile(info);
    const record = body && { ...(JSON.parse(body.toString()) as DocumentRecord), key };
    const [ownFile, ownRecord] = [file, record].map((found) => (found?.id === id ? found : undefined));
    return ownFile ? latestOf(ownFile, ownRecord) : failedOnly(ownRecord);
  }
}

/** A record has more information than the file of the same document, unless the document is deleted. */
function latestOf(file: StoredDocument, record: StoredDocument | undefined): StoredDocument {
  if (file.isDeleted || record?.uid !== file.uid) return file;
  // Only the file has the timings.
  return record.result ? { ...record, result: { ...file.result, ...record.result } } : record;
}

/** A completed document needs its file; a failed one has none, or one that a renderer stored after the deadline. */
function failedOnly(record: StoredDocument | undefined): StoredDocument | undefined {
  return record?.status === 'failed' ? record : undefined;
}

/** Converts a stored object; undefined if its metadata describes neither a finished document nor a tombstone. */
function storedFile(info: ObjectInfo): StoredDocument | undefined {
  const { document, result } = documentFile(info) ?? {};
  if (!document) return undefined;
  const common = { ...document, key: info.key };
  if (isTombstone(info)) return { ...common, status: 'failed', error: CANCELLED, isDeleted: true };
  return result && { ...common, status: 'completed', result: { ...result, warnings: [] } };
}

/** Converts a GenerationJob. */
export function storedDocument(job: GenerationJob): StoredDocument {
  const { options } = job.spec;
  return {
    ...documentOf(job),
    key: documentKeyOf(job),
    isDeleted: isDeleted(job),
    ...(options && { options }),
    ...ownEInvoiceMember(job),
  };
}
