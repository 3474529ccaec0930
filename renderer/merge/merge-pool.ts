import { setTimeout } from 'node:timers/promises';
import { BoundedPool, type Conversation, type Turn } from '@trifold/platform/child-process/bounded-pool.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';
import { tooLarge, type MergedDocument, type MergeReply, type MergeRequest } from './template-merger.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

/** In UTF-16 units of HTML. Receiving more takes a considerable part of an event loop turn. */
const LONG_HTML = 2 ** 20;

/** Memory limit of a process: it holds several copies of the merged text, and its templates. */
const MEMORY_MIB = 512;

export interface MergePoolOptions {
  /** Number of processes; each merges one document at a time. */
  readonly workers: number;
  /** Timeout for one merge in milliseconds, including compilation. */
  readonly timeoutMs: number;
  /** Maximum size of the merged HTML, in bytes. */
  readonly maxBytes: number;
  /** Whether document scripts run. @default false */
  readonly scripts?: boolean;
  /** MiB of JavaScript memory per process. @default 512 */
  readonly memoryMib?: number;
}

/** Input for one merge. */
export type MergeJob = Omit<MergeRequest, 'source' | 'maxBytes' | 'timeoutMs' | 'scripts'> & {
  readonly source: TemplateSource;
};

export interface MergeTurn extends Turn {
  /** Receives the warnings, even if the merge fails. */
  readonly warnings: FoundWarning[];
}

/** Merges templates with data in separate processes with time and memory limits, because templates are untrusted. */
export class MergePool {
  readonly #options: MergePoolOptions;
  readonly #processes: BoundedPool<MergeRequest, MergeReply>;

  constructor(options: MergePoolOptions) {
    this.#options = options;
    const entry = new URL('./merge-process.ts', import.meta.url);
    this.#processes = new BoundedPool({ memoryMib: MEMORY_MIB, ...options, entry });
  }

  /** Starts the processes and waits until they are ready. */
  async start(): Promise<void> {
    await this.#processes.start();
  }

  /**
   * Resolves with the merged document. Rejects with DocumentError, or with the signal's reason when that comes first.
   */
  async merge(job: MergeJob, { warnings, ...turn }: MergeTurn): Promise<MergedDocument> {
    try {
      const reply = await this.#processes.run((child) => converse(child, job, this.#options), turn);
      warnings.push(...(reply.warnings ?? []));
      if (reply.status === 'merged') return reply;
      throw new DocumentError(reply.code, reply.message, { place: reply.place });
    } catch (error) {
      throw documentErrorOf(error, this.#options) ?? error;
    }
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
  }
}

async function converse(
  child: Conversation<MergeRequest, MergeReply>,
  { source, ...job }: MergeJob,
  { maxBytes, timeoutMs, scripts = false }: MergePoolOptions,
): Promise<Exclude<MergeReply, { readonly status: 'source_needed' }>> {
  const request = { ...job, maxBytes, timeoutMs, scripts };
  let reply = await child.ask(request);
  if (reply.status === 'source_needed') reply = await child.ask({ ...request, source });
  if (reply.status === 'source_needed') {
    throw new Error(`unexpected reply from a merge process: ${reply.status}`);
  }
  // Lets other events run before the work on the HTML; an immediate would run before them.
  if (reply.status === 'merged' && reply.html.length > LONG_HTML) await setTimeout(0);
  return reply;
}

function documentErrorOf(
  error: unknown,
  { maxBytes, timeoutMs }: MergePoolOptions,
): DocumentError | undefined {
  if (!(error instanceof ChildProcessError)) return undefined;
  if (error.code === 'time_limit') {
    const message = `merging the template with the data took longer than ${timeoutMs} ms`;
    return new DocumentError('merge_timeout', message);
  }
  if (error.code === 'out_of_memory') {
    return new DocumentError('merge_too_large', tooLarge(maxBytes), { cause: error });
  }
  return undefined;
}
