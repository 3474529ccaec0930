import {
  documentKeyOfId,
  DOCUMENT_LIFETIME_MS,
  isId,
  timeOfId,
  type Batch,
  type GenerationJob,
  type KindDefinition,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { AcceptedWork } from '@trifold/platform/records/documents/accepted-work.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { isResourceName } from './admission/resource-name.ts';

/** Creation times of accounts. */
export type Accounts = Pick<KeyCache, 'accountCreatedAt'>;

/** Dependencies of a reader of documents or batches. */
export interface WorkReaderOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

type Noun = 'document' | 'batch';
const ID_PREFIXES = { document: 'gen', batch: 'bat' } as const;

/** Finds documents or batches: in their resource while it exists, afterwards in the object store. */
export abstract class WorkReader<
  R extends GenerationJob | Batch,
  Stored extends Pick<AcceptedWork, 'createdAt' | 'expiresAt'> & { readonly isDeleted?: boolean },
> {
  protected readonly store: ObjectStore;
  protected readonly client: ResourceClient<R>;
  readonly #noun: Noun;
  readonly #options: WorkReaderOptions;

  constructor(noun: Noun, kind: KindDefinition<R>, options: WorkReaderOptions) {
    this.store = options.store;
    this.#noun = noun;
    this.client = options.kubernetes.resource(kind);
    this.#options = options;
  }

  protected abstract ofResource(resource: R): Stored;
  /** Finds what the object store says once the resource is deleted; `key` follows from account and id. */
  protected abstract findArchived(account: string, id: string, key: string): Promise<Stored | undefined>;

  /** Throws ApiError `expired` or `document_deleted` (410), or a 404, also for an object of another account. */
  async get(account: string, id: string): Promise<Stored> {
    const noun = this.#noun;
    if (!isResourceName(id)) throw notFound(noun, id);
    const now = this.#options.clock.now().getTime();
    const created = isId(ID_PREFIXES[noun], id) ? timeOfId(id)?.getTime() : undefined;
    if (created !== undefined && created + DOCUMENT_LIFETIME_MS <= now) throw expired(noun, id);
    const found = await this.#find(account, id);
    if (!found) throw notFound(noun, id);
    if (Date.parse(found.expiresAt) <= now) throw expired(noun, id);
    if (found.isDeleted) throw documentDeleted(id);
    return found;
  }

  async #find(account: string, id: string): Promise<Stored | undefined> {
    const resource = await this.client.find(account, id);
    if (resource) return this.ofResource(resource);
    const key = isId(ID_PREFIXES[this.#noun], id) ? documentKeyOfId(account, id) : undefined;
    const archived = key === undefined ? undefined : await this.findArchived(account, id, key);
    const since = firstMomentOf(this.#options.accounts, account);
    return archived && Date.parse(archived.createdAt) >= since ? archived : undefined;
  }
}

/**
 * Returns the earliest time of work that belongs to the account, in milliseconds: a deleted account leaves its files
 * until they expire, and a new account of the same name must not see them.
 */
export function firstMomentOf(accounts: Accounts, account: string): number {
  return accounts.accountCreatedAt(account)?.getTime() ?? Infinity;
}

/** 410: the document or batch has expired. */
export function expired(noun: Noun, id: string): ApiError {
  const message = `The ${noun} ${id} has expired: documents are kept for 24 hours. Generate it again.`;
  return new ApiError('expired', message);
}

/** 410: the document was deleted. */
export function documentDeleted(id: string): ApiError {
  return new ApiError('document_deleted', `The document ${id} was deleted. Generate it again.`);
}

function notFound(noun: Noun, id: string): ApiError {
  const message = `There is no ${noun} ${JSON.stringify(id)} in this account.`;
  return new ApiError(`${noun}_not_found`, message);
}
