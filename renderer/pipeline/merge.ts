import { MergeChild, MergeChildEnded } from './merge-child.ts';
import type { MergeSource } from './merge-messages.ts';
import { tooLarge } from './template-merger.ts';
import { TaskError } from './task-error.ts';

export interface MergePoolOptions {
  /** Processes; each merges one document at a time. */
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

/** Merges templates with data in processes of their own, bounded in time and memory: templates are other people's. */
export class MergePool {
  readonly #options: MergePoolOptions;
  readonly #children: MergeChild[] = [];
  readonly #idle: MergeChild[] = [];
  /** In order of arrival. */
  readonly #waiting = new Set<(child: MergeChild) => void>();
  #stopped = false;

  constructor(options: MergePoolOptions) {
    this.#options = options;
  }

  /** Starts the processes and waits until they can merge. */
  async start(): Promise<void> {
    const children = Array.from({ length: this.#options.workers }, () => new MergeChild());
    this.#children.push(...children);
    await Promise.all(children.map((child) => child.ready()));
    for (const child of children) this.#release(child);
  }

  /** The merged html. Rejects with TaskError, or with the signal's reason when that comes first. */
  async merge(job: MergeJob, signal: AbortSignal): Promise<string> {
    const child = this.#idle.pop() ?? (await this.#wait(signal));
    try {
      return await mergeIn(child, job, this.#options, signal);
    } finally {
      this.#release(child);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#children.map((child) => child.stop()));
  }

  async #wait(signal: AbortSignal): Promise<MergeChild> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<MergeChild>();
    const onAbort = () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(child: MergeChild): void {
    if (this.#stopped) return;
    const [next] = this.#waiting;
    if (!next) {
      this.#idle.push(child);
      return;
    }
    this.#waiting.delete(next);
    next(child);
  }
}

/** One merge in one process, bounded in time. */
async function mergeIn(
  child: MergeChild,
  job: MergeJob,
  options: MergePoolOptions,
  signal: AbortSignal,
): Promise<string> {
  await child.ready();
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeout(options.timeoutMs)), options.timeoutMs);
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([converse(child, job, options), stopped]);
  } catch (error) {
    // It may still be at it.
    if (child.busy) await child.stop();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function converse(
  child: MergeChild,
  { source, ...job }: MergeJob,
  { maxBytes, timeoutMs }: MergePoolOptions,
): Promise<string> {
  const request = { ...job, maxBytes, timeoutMs };
  try {
    let reply = await child.ask(request);
    if (reply.status === 'source_needed') reply = await child.ask({ ...request, source });
    if (reply.status === 'merged') return reply.html;
    if (reply.status === 'failed') throw new TaskError(reply.code, reply.message);
    throw new Error(`unexpected reply of a merge process: ${reply.status}`);
  } catch (error) {
    if (!(error instanceof MergeChildEnded && error.outOfMemory)) throw error;
    throw new TaskError('merge_too_large', tooLarge(maxBytes), { cause: error });
  }
}

function timeout(timeoutMs: number): TaskError {
  return new TaskError(
    'merge_timeout',
    `merging the template with the data took longer than ${timeoutMs} ms`,
  );
}
