import { KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { requestOnce, type KnownRequest } from '../../server/idempotency/request-once.ts';
import type { RequestRecords } from '../../server/idempotency/request-records.ts';
import { storedDocument, type Documents, type StoredDocument } from './documents.ts';
import type { AdmittedJob, DocumentRequest, JobCreator } from './job-creator.ts';
import type { JobFollowers, JobWaiters, Wait } from './job-waiters.ts';

export interface DocumentGeneratorOptions {
  readonly jobs: JobCreator;
  readonly documents: Documents;
  readonly waiters: JobWaiters;
  readonly followers: JobFollowers;
  readonly requests: RequestRecords;
}

/** Result of a request with an Idempotency-Key. */
export interface GenerateOutcome {
  readonly document: StoredDocument;
  /** Whether the same request was handled before. */
  readonly replayed: boolean;
}

/** Generates documents: admits a request, creates its job and waits until the job finishes. */
export class DocumentGenerator {
  readonly #options: DocumentGeneratorOptions;

  constructor(options: DocumentGeneratorOptions) {
    this.#options = options;
  }

  /**
   * Generates one document. After a timeout, returns the current document; its status is then never `pending` but
   * `processing`, because the caller has waited (docs/interface-choices.md).
   */
  async generate(request: DocumentRequest): Promise<StoredDocument> {
    return this.#createAndWait(await this.#options.jobs.admit(request), request);
  }

  /**
   * Generates at most one document per Idempotency-Key, across retries and gateways: every attempt returns the same
   * document. Throws ApiError `idempotency_key_reused` for a different body.
   */
  async generateOnce(request: DocumentRequest, known: KnownRequest): Promise<GenerateOutcome> {
    const { jobs, documents, followers, requests } = this.#options;
    const { account } = request.caller;
    const { made, found, replayed } = await requestOnce(requests, known, {
      admit: async (earlierId) => jobs.admit(request, earlierId),
      create: async (job) => this.#createAndWait(job, request),
      get: async (id) => documents.get(account, id),
      notFound: 'document_not_found',
    });
    const isOver = made.status === 'completed' || made.status === 'failed';
    if (!found || isOver || request.waitMs === undefined) return { document: made, replayed };
    const wait = followers.begin(account, made.id, request.waitMs);
    return { document: await this.#waitForDocument(wait, made, request), replayed };
  }

  async #createAndWait(job: AdmittedJob, request: DocumentRequest): Promise<StoredDocument> {
    const { jobs, waiters } = this.#options;
    if (request.waitMs === undefined) return storedDocument(await jobs.create(job));
    // Begins before the job exists, so that no event is missed.
    const wait = waiters.begin(request.caller.account, job.id, request.waitMs);
    return this.#waitForDocument(wait, jobs.create(job).then(storedDocument), request);
  }

  async #waitForDocument(
    wait: Wait,
    start: StoredDocument | Promise<StoredDocument>,
    { caller, signal }: DocumentRequest,
  ): Promise<StoredDocument> {
    const giveUp = () => wait.cancel();
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const created = await start;
      const finished = await wait.outcome;
      if (finished) return storedDocument(finished);
      const latest = signal.aborted ? created : await this.#latest(caller.account, created);
      return latest.status === 'pending' ? { ...latest, status: 'processing' } : latest;
    } finally {
      wait.cancel();
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Reads the job once more, because the watch may lag. A read error does not fail an accepted request. */
  async #latest(account: string, created: StoredDocument): Promise<StoredDocument> {
    try {
      return await this.#options.documents.get(account, created.id);
    } catch (error) {
      if (error instanceof KubernetesApiError || error instanceof ObjectStoreError) return created;
      throw error;
    }
  }
}
