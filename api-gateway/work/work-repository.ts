import {
  isResourceName,
  documentKeyOfId,
  DOCUMENT_LIFETIME_MS,
  isId,
  timeOfId,
  type Batch,
  type DocumentFormat,
  type Draft,
  type GenerationJob,
  type KindDefinition,
  DOCUMENT_LIFETIME,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { AcceptedWork } from '@trifold/platform/records/documents/accepted-work.ts';
import type { WorkState } from '@trifold/platform/records/documents/finished-document.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { ApiError } from '../server/errors/api-error.ts';
import type { AdmittedWork, InputObject, WorkRequest } from './admission/admission.ts';

/** Creation times of accounts. */
export type Accounts = Pick<KeyCache, 'accountCreatedAt'>;

/** Dependencies of `WorkRepository`. */
export interface WorkRepositoryOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/** Objects and resources that a request creates. */
export interface WorkDraft<R extends GenerationJob | Batch> {
  readonly resource: Draft<R>;
  /** Data and attachments that the resource refers to. */
  readonly input: readonly InputObject[];
}

/** Current state of a document or batch. */
export interface StoredWork extends Pick<AcceptedWork, 'id' | 'createdAt' | 'expiresAt'> {
  readonly status: WorkState;
  readonly isDeleted?: boolean;
}

type Noun = 'document' | 'batch';
const ID_PREFIXES = { document: 'gen', batch: 'bat' } as const;

/** Creates and finds documents or batches: as resources while they exist, and afterwards in the object store. */
export abstract class WorkRepository<
  R extends GenerationJob | Batch,
  Stored extends StoredWork,
  Presentation extends { readonly format: DocumentFormat },
> {
  readonly kind: string;
  readonly idPrefix: 'gen' | 'bat';
  protected readonly store: ObjectStore;
  protected readonly client: ResourceClient<R>;
  readonly #noun: Noun;
  readonly #options: WorkRepositoryOptions;

  constructor(noun: Noun, kind: KindDefinition<R>, options: WorkRepositoryOptions) {
    this.kind = kind.kind;
    this.idPrefix = ID_PREFIXES[noun];
    this.store = options.store;
    this.#noun = noun;
    this.client = options.kubernetes.resource(kind);
    this.#options = options;
  }

  /** Returns the resource of a request, and the objects that it refers to. */
  abstract draft(work: AdmittedWork, request: WorkRequest<Presentation>): WorkDraft<R>;
  /** Converts a resource. */
  abstract stored(resource: R): Stored;
  /** Finds the work in the object store once its resource is deleted; `key` is derived from the account and ID. */
  protected abstract findArchived(account: string, id: string, key: string): Promise<Stored | undefined>;

  /** Creates a resource. Returns it as sent. Rejects with KubernetesApiError. */
  async create(draft: Draft<R>): Promise<R> {
    return (await this.client.createAsSent(draft)) as R;
  }

  /** Like `find`, but throws a 404 if there is none. */
  async get(account: string, id: string): Promise<Stored> {
    const found = await this.find(account, id);
    if (found) return found;
    const message = `There is no ${this.#noun} ${JSON.stringify(id)} in this account.`;
    throw new ApiError(`${this.#noun}_not_found`, message);
  }

  /**
   * Returns the account's document or batch with this ID, or undefined if there is none. Throws ApiError `expired` or
   * `document_deleted` (410).
   */
  async find(account: string, id: string): Promise<Stored | undefined> {
    const noun = this.#noun;
    if (!isResourceName(id)) return undefined;
    const now = this.#options.clock.now().getTime();
    const created = isId(this.idPrefix, id) ? timeOfId(id)?.getTime() : undefined;
    if (created !== undefined && created + DOCUMENT_LIFETIME_MS <= now) throw expired(noun, id);
    const found = await this.#findStored(account, id);
    if (!found) return undefined;
    if (Date.parse(found.expiresAt) <= now) throw expired(noun, id);
    if (found.isDeleted) throw documentDeleted(id);
    return found;
  }

  async #findStored(account: string, id: string): Promise<Stored | undefined> {
    const resource = await this.client.find(account, id);
    if (resource) return this.stored(resource);
    const key = isId(this.idPrefix, id) ? documentKeyOfId(account, id) : undefined;
    const archived = key === undefined ? undefined : await this.findArchived(account, id, key);
    const since = firstMomentOf(this.#options.accounts, account);
    return archived && Date.parse(archived.createdAt) >= since ? archived : undefined;
  }
}

/**
 * Returns the time, in milliseconds, before which no work belongs to the account: a deleted account's files remain
 * until they expire, and a new account with the same name must not see them.
 */
export function firstMomentOf(accounts: Accounts, account: string): number {
  return accounts.accountCreatedAt(account)?.getTime() ?? Infinity;
}

/** 410: the document or batch has expired. */
export function expired(noun: Noun, id: string): ApiError {
  const message = `The ${noun} ${id} has expired: documents are kept for ${DOCUMENT_LIFETIME}. Generate it again.`;
  return new ApiError('expired', message);
}

/** 410: the document was deleted. */
export function documentDeleted(id: string): ApiError {
  return new ApiError('document_deleted', `The document ${id} was deleted. Generate it again.`);
}
