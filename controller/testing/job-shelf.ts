import type { GenerationJob } from '@trifold/crds';
import { KubernetesApiError } from '@trifold/platform/kubernetes/api-error.ts';

/**
 * GenerationJobs as an API server holds them, and a cache of them that a test can hold back. Small on purpose: what a
 * real server does is tested with one, in test/controller.
 */
export class JobShelf {
  readonly #jobs = new Map<string, GenerationJob>();
  readonly #cached = new Map<string, GenerationJob>();
  #version = 100;
  /** The cache shows nothing newer until it is let go. */
  held = false;
  /** Statuses in the order in which they were written. */
  readonly writes: GenerationJob[] = [];
  readonly deletes: { name: string; uid: string | undefined; resourceVersion: string | undefined }[] = [];
  /** Asked before each status write: an error here is what the server answers. */
  beforeWrite: (() => void) | undefined;

  /** Puts a job there as somebody else would. */
  place(job: GenerationJob): GenerationJob {
    return this.#keep(job);
  }

  take(name: string): void {
    this.#jobs.delete(name);
    if (!this.held) this.#cached.delete(name);
  }

  release(): void {
    this.held = false;
    this.#cached.clear();
    for (const [name, job] of this.#jobs) this.#cached.set(name, job);
  }

  /** The cache's view. */
  get(_namespace: string | undefined, name: string): GenerationJob | undefined {
    return this.#cached.get(name);
  }

  /** The server's view. */
  async find(_namespace: string | undefined, name: string): Promise<GenerationJob | undefined> {
    return this.#jobs.get(name);
  }

  current(name: string): GenerationJob {
    const job = this.#jobs.get(name);
    if (!job) throw new Error(`there is no job ${name}`);
    return job;
  }

  async replaceStatus(job: GenerationJob): Promise<GenerationJob> {
    this.beforeWrite?.();
    const current = this.#jobs.get(job.metadata.name);
    if (!current)
      throw new KubernetesApiError({
        code: 404,
        reason: 'NotFound',
        message: 'not found',
      });
    this.#expectVersion(current, job.metadata.resourceVersion);
    const { status } = structuredClone(job);
    const written = this.#keep({ ...current, ...(status && { status }) });
    this.writes.push(written);
    return written;
  }

  async delete(
    _namespace: string | undefined,
    name: string,
    options: { uid?: string; resourceVersion?: string } = {},
  ): Promise<void> {
    const current = this.#jobs.get(name);
    if (!current)
      throw new KubernetesApiError({
        code: 404,
        reason: 'NotFound',
        message: 'not found',
      });
    if (options.uid !== current.metadata.uid) this.#conflict();
    this.#expectVersion(current, options.resourceVersion);
    this.deletes.push({ name, uid: options.uid, resourceVersion: options.resourceVersion });
    this.take(name);
  }

  #keep(job: GenerationJob): GenerationJob {
    this.#version += 1;
    const kept = { ...job, metadata: { ...job.metadata, resourceVersion: String(this.#version) } };
    this.#jobs.set(job.metadata.name, kept);
    if (!this.held) this.#cached.set(job.metadata.name, kept);
    return kept;
  }

  #expectVersion(current: GenerationJob, version: string | undefined): void {
    if (version !== undefined && version !== current.metadata.resourceVersion) this.#conflict();
  }

  #conflict(): never {
    throw new KubernetesApiError({ code: 409, reason: 'Conflict', message: 'changed' });
  }
}
