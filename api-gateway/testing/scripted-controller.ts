import { createHash } from 'node:crypto';
import {
  documentKeyOf,
  GENERATION_JOB,
  recordKey,
  type DocumentWarning,
  type GenerationJob,
  type GenerationJobStatus,
} from '@trifold/crds';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import {
  documentMetadata,
  documentRecordOf,
  resultMetadata,
  type StoredResult,
} from '@trifold/platform/records/documents/finished-document.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { GatewayFixture } from './gateway-fixture.ts';

export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF\n');

/** Returns the result of a renderer that stores a file now. */
export function renderedResult(file: Buffer, clock: Clock): StoredResult {
  const now = clock.now().toISOString();
  return {
    pages: 1,
    sha256: createHash('sha256').update(file).digest('hex'),
    renderTimeMs: 12,
    timings: { queuedMs: 1, mergeMs: 2, printMs: 8, storeMs: 1 },
    startedAt: now,
    finishedAt: now,
  };
}

/** Acts on jobs as the controller and a renderer would, at the test's command. */
export class ScriptedController {
  readonly #fixture: GatewayFixture;

  constructor(fixture: GatewayFixture) {
    this.#fixture = fixture;
  }

  get #jobs() {
    return this.#fixture.kubernetes.resource(GENERATION_JOB);
  }

  async jobs(account = 'acme'): Promise<readonly GenerationJob[]> {
    return (await this.#jobs.list({ namespace: account })).items;
  }

  /** Resolves with the first unfinished job, as soon as there is one. */
  async next(account = 'acme'): Promise<GenerationJob> {
    const isOpen = ({ status }: GenerationJob) => status?.phase !== 'Completed' && status?.phase !== 'Failed';
    const look = async () => (await this.jobs(account)).find(isOpen) ?? false;
    return eventually(look, { intervalMs: 5 });
  }

  async start(job: GenerationJob): Promise<void> {
    await this.#patch(job, { phase: 'Processing' });
  }

  async complete(job: GenerationJob, warnings?: DocumentWarning[]): Promise<void> {
    const { pages, sha256, renderTimeMs, timings } = await this.storeFile(job);
    const objectKey = documentKeyOf(job);
    const made = { objectKey, size: PDF.length, pages, sha256, renderTimeMs, timings };
    await this.#end(job, { phase: 'Completed', ...made, ...(warnings && { warnings }) });
  }

  /** Stores the file as a renderer does, without changing the resource. */
  async storeFile(job: GenerationJob): Promise<StoredResult> {
    const result = renderedResult(PDF, this.#fixture.clock);
    await this.#fixture.store.put(documentKeyOf(job), PDF, {
      contentType: 'application/pdf',
      metadata: { ...documentMetadata(acceptedDocument(job)), ...resultMetadata(result) },
      ifAbsent: true,
    });
    return result;
  }

  async fail(job: GenerationJob, progress: GenerationJobStatus = {}): Promise<void> {
    const error = { code: 'render_failed', message: 'The page could not be printed.' };
    const finishedAt = this.#fixture.clock.now().toISOString();
    await this.#end(job, { phase: 'Failed', error, finishedAt, ...progress });
  }

  /** Deletes the resource, as the controller does after its TTL. */
  async remove(job: GenerationJob): Promise<void> {
    await this.#jobs.delete(job.metadata.namespace, job.metadata.name);
  }

  /** Completes every job as it appears, until the returned function is called. */
  completeAll(account = 'acme'): () => Promise<void> {
    const stop = new AbortController();
    const loop = (async () => {
      while (!stop.signal.aborted) {
        for (const job of await this.jobs(account)) {
          if (job.status?.phase === 'Completed' || job.status?.phase === 'Failed') continue;
          await this.complete(job);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    return async () => {
      stop.abort();
      await loop;
    };
  }

  async #end(job: GenerationJob, status: GenerationJobStatus): Promise<void> {
    const record = documentRecordOf({ ...job, status });
    if (record) await this.#fixture.store.put(recordKey(documentKeyOf(job)), JSON.stringify(record));
    await this.#patch(job, status);
  }

  async #patch(job: GenerationJob, status: object): Promise<void> {
    const { namespace = '', name } = job.metadata;
    try {
      await this.#jobs.patchStatus({ namespace, name }, { status });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }
}
