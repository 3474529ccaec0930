import {
  documentKeyOf,
  documentKeyOfId,
  DOCUMENT_LIFETIME_MS,
  GENERATION_JOB,
  isId,
  recordKey,
  timeOfId,
  type GenerationJob,
  type JobError,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import {
  decodeFacts,
  type DocumentFacts,
  type FailureRecord,
} from '@trifold/platform/records/documents/document-facts.ts';
import { factsOf } from '@trifold/platform/records/documents/job-facts.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectInfo, ObjectStore } from '@trifold/platform/object-store/port.ts';
import { decodeResultFacts } from '@trifold/platform/render-queue/result-facts.ts';
import type { KeyCache } from '../../server/auth/key-cache.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { isResourceName } from '../admission/resource-name.ts';

/** Result of a finished document. */
export interface DocumentResult {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly renderTimeMs: number;
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

/** Creation times of accounts. */
export type Accounts = Pick<KeyCache, 'accountCreatedAt'>;

export interface DocumentsOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/**
 * Finds documents: in their resource while it exists, afterwards in the metadata of the stored file or in the failure
 * record.
 */
export class Documents {
  readonly #jobs: ResourceClient<GenerationJob>;
  readonly #store: ObjectStore;
  readonly #accounts: Accounts;
  readonly #clock: Clock;

  constructor({ kubernetes, store, accounts, clock }: DocumentsOptions) {
    this.#jobs = kubernetes.resource<GenerationJob>(GENERATION_JOB);
    this.#store = store;
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Throws ApiError `expired` (410) or `document_not_found` (404, also for a document of another account). */
  async get(account: string, id: string): Promise<StoredDocument> {
    if (!isResourceName(id)) throw documentNotFound(id);
    const now = this.#clock.now().getTime();
    const created = isId('gen', id) ? timeOfId(id)?.getTime() : undefined;
    if (created !== undefined && created + DOCUMENT_LIFETIME_MS <= now) throw expired(id);
    const document = await this.#find(account, id);
    if (!document) throw documentNotFound(id);
    if (Date.parse(document.facts.expiresAt) <= now) throw expired(id);
    return document;
  }

  async #find(account: string, id: string): Promise<StoredDocument | undefined> {
    const job = await this.#jobs.find(account, id);
    if (job) return documentOf(job);
    const key = isId('gen', id) ? documentKeyOfId(account, id) : undefined;
    const archived = key === undefined ? undefined : await this.#findArchived(id, key);
    if (!archived || isOfFormerAccount(this.#accounts, account, archived.facts.createdAt)) return undefined;
    return archived;
  }

  async #findArchived(id: string, key: string): Promise<StoredDocument | undefined> {
    const [info, record] = await Promise.all([this.#store.head(key), this.#store.read(recordKey(key))]);
    const file = info && storedFile(info);
    const failure = record && (JSON.parse(record.toString()) as FailureRecord);
    // A renderer may store its file after its deadline: a document that was reported as failed stays failed.
    if (file?.facts.job === id && file.facts.uid !== failure?.uid) return file;
    if (failure?.job !== id) return undefined;
    return { facts: failure, status: 'failed', key, error: failure.error };
  }
}

/**
 * Whether something was created before the account. A deleted account leaves its files until they expire; a new account
 * of the same name must not see them.
 */
export function isOfFormerAccount(accounts: Accounts, account: string, createdAt: string): boolean {
  const accountCreatedAt = accounts.accountCreatedAt(account)?.getTime() ?? Infinity;
  return Date.parse(createdAt) < accountCreatedAt;
}

/** Converts a stored object; undefined if its metadata is not that of a finished document. */
function storedFile(info: ObjectInfo): StoredDocument | undefined {
  const facts = decodeFacts(info.metadata);
  const result = decodeResultFacts(info);
  return facts && result && { facts, status: 'completed', key: info.key, result };
}

/** Converts a GenerationJob. */
export function documentOf(job: GenerationJob): StoredDocument {
  const { status } = job;
  const common = { facts: factsOf(job), key: documentKeyOf(job) };
  switch (status?.phase) {
    case 'Completed':
      return { ...common, status: 'completed', result: resultOf(job) };
    case 'Failed':
      return {
        ...common,
        status: 'failed',
        error: status.error ?? { code: 'unknown', message: 'The job failed; no reason was written down.' },
      };
    case 'Processing':
      return { ...common, status: 'processing' };
    case 'Pending':
    case undefined:
      return { ...common, status: 'pending' };
  }
}

function resultOf({ status }: GenerationJob): DocumentResult {
  return {
    size: status?.size ?? 0,
    sha256: status?.sha256 ?? '',
    renderTimeMs: status?.renderTimeMs ?? 0,
  };
}

/** 410: the document has expired. */
export function expired(id: string): ApiError {
  const message = `The document ${id} has expired: documents are kept for 24 hours. Generate it again.`;
  return new ApiError('expired', message);
}

function documentNotFound(id: string): ApiError {
  return new ApiError('document_not_found', `There is no document ${JSON.stringify(id)} in this account.`);
}
