import { Worker } from 'node:worker_threads';
import type { MergeReply, MergeRequest, MergeSource } from './merge-messages.ts';
import { tooLarge } from './template-merger.ts';
import { TaskError } from './task-error.ts';

export interface MergePoolOptions {
  /** Threads; each merges one document at a time. */
  readonly workers: number;
  /** Milliseconds one merge may take, compiling included. */
  readonly timeoutMs: number;
  /** Bytes of html that may come out. */
  readonly maxBytes: number;
}

/** One merge. */
export interface MergeJob {
  readonly revisionKey: string;
  readonly source: MergeSource;
  /** JSON of an object, UTF-8. */
  readonly data: Uint8Array;
}

/** What a thread may hold: the merged text several times over, and its templates. */
const WORKER_MEMORY_MB = 512;

/** Merges templates with data in threads of their own, bounded in time and size: templates are other people's. */
export class MergePool {
  readonly #options: MergePoolOptions;
  readonly #threads: MergeThread[] = [];
  readonly #idle: MergeThread[] = [];
  /** In order of arrival. */
  readonly #waiting = new Set<(thread: MergeThread) => void>();
  #stopped = false;

  constructor(options: MergePoolOptions) {
    this.#options = options;
  }

  /** Starts the threads and waits until they can merge. */
  async start(): Promise<void> {
    const threads = Array.from({ length: this.#options.workers }, () => new MergeThread());
    this.#threads.push(...threads);
    await Promise.all(threads.map((thread) => thread.ready()));
    for (const thread of threads) this.#release(thread);
  }

  /** The merged html. Rejects with TaskError, or with the signal's reason when that comes first. */
  async merge(job: MergeJob, signal: AbortSignal): Promise<string> {
    const thread = this.#idle.pop() ?? (await this.#wait(signal));
    try {
      return await thread.merge(job, this.#options, signal);
    } finally {
      this.#release(thread);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#threads.map((thread) => thread.stop()));
  }

  async #wait(signal: AbortSignal): Promise<MergeThread> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<MergeThread>();
    const onAbort = () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(thread: MergeThread): void {
    if (this.#stopped) return;
    const [next] = this.#waiting;
    if (!next) {
      this.#idle.push(thread);
      return;
    }
    this.#waiting.delete(next);
    next(thread);
  }
}

/** A worker thread; one that had to be ended is replaced when it is needed again. */
class MergeThread {
  #worker: Worker | undefined;
  #ready: Promise<void> | undefined;
  #settle: ((reply: MergeReply) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  /** Starts the worker if there is none. */
  async ready(): Promise<void> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  async merge(
    job: MergeJob,
    { timeoutMs, maxBytes }: MergePoolOptions,
    signal: AbortSignal,
  ): Promise<string> {
    await this.ready();
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(timeout(timeoutMs)), timeoutMs);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([this.#merge(job, maxBytes), stopped]);
    } catch (error) {
      // It may still be at it.
      if (this.#settle) await this.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    // Whoever waits for it, also for its start, must not wait for ever.
    if (worker) this.#onEnd(worker, new Error('the merge worker was ended'));
    await worker?.terminate();
  }

  async #merge({ source, ...job }: MergeJob, maxBytes: number): Promise<string> {
    let reply = await this.#ask({ ...job, maxBytes }, maxBytes);
    if (reply.status === 'source_needed') reply = await this.#ask({ ...job, source, maxBytes }, maxBytes);
    if (reply.status === 'merged') return reply.html;
    if (reply.status === 'failed') throw new TaskError(reply.code, reply.message);
    throw new Error(`unexpected reply of a merge worker: ${reply.status}`);
  }

  async #ask(request: MergeRequest, maxBytes: number): Promise<MergeReply> {
    const reply = this.#reply();
    this.#worker?.postMessage(request);
    try {
      return await reply;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      throw new TaskError('merge_too_large', tooLarge(maxBytes), { cause: error });
    }
  }

  #reply(): Promise<MergeReply> {
    const { promise, resolve, reject } = Promise.withResolvers<MergeReply>();
    this.#settle = resolve;
    this.#fail = reject;
    return promise;
  }

  async #start(): Promise<void> {
    const worker = new Worker(new URL('./merge-worker.ts', import.meta.url), {
      execArgv: [],
      // The service's settings are no business of a template's thread.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB },
    });
    worker.unref();
    this.#worker = worker;
    worker.on('message', (reply: MergeReply) => {
      const settle = this.#settle;
      this.#settle = undefined;
      settle?.(reply);
    });
    worker.on('error', (error) => this.#onEnd(worker, error as Error));
    worker.on('exit', () => this.#onEnd(worker, new Error('a merge worker ended')));
    await this.#reply();
  }

  #onEnd(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    const fail = this.#fail;
    this.#worker = undefined;
    this.#ready = undefined;
    this.#settle = undefined;
    this.#fail = undefined;
    fail?.(error);
  }
}

function timeout(timeoutMs: number): TaskError {
  return new TaskError(
    'merge_timeout',
    `merging the template with the data took longer than ${timeoutMs} ms`,
  );
}
