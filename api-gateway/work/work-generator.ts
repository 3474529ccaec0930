import type { Batch, DocumentFormat, GenerationJob } from '@trifold/crds';
import { isApiError, KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { weightOf } from './admission/work-weight.ts';
import type {
  ClaimedWork,
  IdempotentRequest,
  RequestRecords,
} from '../server/idempotency/request-records.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import type { Admission, AdmittedWork, WorkRequest } from './admission/admission.ts';
import type { UnfinishedDocumentsQuota } from './admission/unfinished-documents-quota.ts';
import type { JobFollowers, JobWaiters, Wait } from './documents/job-waiters.ts';
import type { StoredWork, WorkRepository } from './work-repository.ts';

/** The parts that documents and batches share. */
export interface GeneratorParts {
  readonly admission: Admission;
  readonly storageQuota: Pick<StorageQuota, 'assertWithinQuota'>;
  readonly jobQuota: Pick<UnfinishedDocumentsQuota, 'reserve' | 'created'>;
  readonly requests: RequestRecords;
  readonly waiters: JobWaiters;
  readonly followers: JobFollowers;
}

/** Result of a request. */
export interface Generated<Stored> {
  readonly work: Stored;
  /** Whether the same request has been sent before. */
  readonly replayed: boolean;
}

/** Existing work, and the wait for its completion if the caller waits. */
interface CreatedWork<Stored> {
  readonly work: Stored;
  readonly wait: Wait | undefined;
}

/**
 * Executes requests for documents and batches: admit, store, create, wait. A rejected request leaves nothing behind.
 */
export class WorkGenerator<
  R extends GenerationJob | Batch,
  Stored extends StoredWork,
  Presentation extends { readonly format: DocumentFormat },
> {
  readonly #repository: WorkRepository<R, Stored, Presentation>;
  readonly #parts: GeneratorParts;

  constructor(repository: WorkRepository<R, Stored, Presentation>, parts: GeneratorParts) {
    this.#repository = repository;
    this.#parts = parts;
  }

  /**
   * Executes a request; with an Idempotency-Key (`known`), only once, however often and wherever it is sent. The ID is
   * stored before anything is created, so that a retry after a crash creates the work under the same ID. After a
   * timeout, returns the current work; its status is then `processing`, never `pending`, because the caller has waited
   * (docs/interface-choices.md).
   *
   * Rejects with ApiError, for example `too_many_jobs` or `idempotency_key_reused`, KubernetesApiError or
   * ObjectStoreError. A request that is rejected before it has an ID does not use up its key.
   */
  async generate(request: WorkRequest<Presentation>, known?: IdempotentRequest): Promise<Generated<Stored>> {
    const { requests } = this.#parts;
    const earlier = known && (await requests.find(known));
    const found = earlier && (await this.#find(request, earlier.id));
    const made = found ?? (await this.#make(request, known, earlier));
    // Another attempt of the request won.
    if (!made) return this.generate(request, known);
    const work = made.wait ? await this.#finished(made.work, made.wait, request) : made.work;
    return { work, replayed: earlier !== undefined };
  }

  /**
   * Admits the request, stores its data and creates its work. Returns undefined if another attempt has a different ID.
   */
  async #make(
    request: WorkRequest<Presentation>,
    known: IdempotentRequest | undefined,
    earlier: ClaimedWork | undefined,
  ): Promise<CreatedWork<Stored> | undefined> {
    const { admission, storageQuota, jobQuota, requests } = this.#parts;
    const { account } = request.caller;
    const { kind, idPrefix } = this.#repository;
    const id = earlier?.id ?? admission.newId(idPrefix, account);
    storageQuota.assertWithinQuota(account);
    let release: (() => void) | undefined;
    try {
      const documents = Math.max(request.data.items.length, weightOf(request.options));
      release = jobQuota.reserve({ kind, account, name: id, documents }, known);
      const admitted = await admission.admit(request, id, earlier);
      await admission.storeRevision(admitted);
      if (known && !earlier && (await requests.claim(known, claimOf(admitted))).id !== id) return undefined;
      return await this.#create(request, admitted);
    } catch (error) {
      if (!known) throw error;
      return await this.#afterConflict(error, request, { known, id, isFirst: !earlier });
    } finally {
      release?.();
    }
  }

  /**
   * Returns the work that another attempt of the request created, or undefined if another attempt has claimed an ID;
   * rethrows any other error.
   */
  async #afterConflict(
    error: unknown,
    request: WorkRequest<Presentation>,
    { known, id, isFirst }: { known: IdempotentRequest; id: string; isFirst: boolean },
  ): Promise<CreatedWork<Stored> | undefined> {
    const isFull = error instanceof ApiError && error.code === 'too_many_jobs';
    // The other attempt may have used up the quota.
    if (isFull && isFirst && (await this.#parts.requests.find(known)) !== undefined) return undefined;
    const found = isApiError(error, 'AlreadyExists') ? await this.#find(request, id) : undefined;
    if (found) return found;
    throw error;
  }

  async #create(request: WorkRequest<Presentation>, admitted: AdmittedWork): Promise<CreatedWork<Stored>> {
    const { admission, jobQuota, waiters } = this.#parts;
    const { resource, input } = this.#repository.draft(admitted, request);
    // The wait begins before the job exists, so that no event is missed.
    const wait =
      request.waitMs === undefined ? undefined : waiters.begin(admitted.account, admitted.id, request.waitMs);
    try {
      await admission.storeInput(input);
      const created = await this.#repository.create(resource);
      jobQuota.created(created);
      return { work: this.#repository.stored(created), wait };
    } catch (error) {
      wait?.cancel();
      throw error;
    }
  }

  /** Finds the work of an earlier attempt, and follows it if the caller waits and it is unfinished. */
  async #find(request: WorkRequest<Presentation>, id: string): Promise<CreatedWork<Stored> | undefined> {
    const { account } = request.caller;
    const work = await this.#repository.find(account, id);
    if (!work) return undefined;
    const isOver = work.status === 'completed' || work.status === 'failed';
    if (isOver || request.waitMs === undefined) return { work, wait: undefined };
    return { work, wait: this.#parts.followers.begin(account, id, request.waitMs) };
  }

  async #finished(
    created: Stored,
    wait: Wait,
    { caller, signal }: WorkRequest<Presentation>,
  ): Promise<Stored> {
    const giveUp = () => wait.cancel();
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const finished = await wait.outcome;
    signal.removeEventListener('abort', giveUp);
    if (finished) return this.#repository.stored(finished as R);
    const latest = signal.aborted ? created : await this.#latest(caller.account, created);
    return latest.status === 'pending' ? { ...latest, status: 'processing' } : latest;
  }

  /** Reads the work once more, because the watch may lag. A read error does not make an accepted request fail. */
  async #latest(account: string, created: Stored): Promise<Stored> {
    try {
      return await this.#repository.get(account, created.id);
    } catch (error) {
      if (error instanceof KubernetesApiError || error instanceof ObjectStoreError) return created;
      throw error;
    }
  }
}

function claimOf({ id, template: { revision, version } }: AdmittedWork): ClaimedWork {
  return { id, revision: revision.sha256, ...(version !== undefined && { version }) };
}
