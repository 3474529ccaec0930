import { contentTypeOf, type DocumentFormat } from '@trifold/crds';
import { abortable } from '@trifold/platform/service/abortable.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import type {
  RenderFailure,
  RenderOutcome,
  RenderResult,
  RenderTask,
} from '@trifold/platform/render-queue/port.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { PrintError } from '../browser/page/print-error.ts';
import type { FormatWriter, WritingTurn } from '../formats/format-writer.ts';
import type { MergePool } from '../merge/merge.ts';
import type { DocumentFeatures } from '../pdf/finish-pdf.ts';
import { PdfSyntaxError } from '../pdf/file/pdf-syntax.ts';
import { printingOf } from './print-settings.ts';
import { RevisionCache } from './revision-cache.ts';
import { storeResult } from './stored-result.ts';
import { TaskDeadline } from './task-deadline.ts';
import { renderFailure, TaskError } from './task-error.ts';

export interface RenderTasksOptions {
  readonly store: ObjectStore;
  readonly merging: MergePool;
  readonly writers: Readonly<Record<DocumentFormat, FormatWriter>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum bytes of a finished document. */
  readonly maxOutputBytes: number;
}

/** Renders tasks: revision and data → merge → file of the format (print, watermark, date) → store. */
export class RenderTasks {
  readonly #options: RenderTasksOptions;
  readonly #revisions: RevisionCache;

  constructor(options: RenderTasksOptions) {
    this.#options = options;
    this.#revisions = new RevisionCache(options.store);
  }

  /**
   * Handler for the queue. Rejects only when `signal` is aborted, with its reason: the task then goes to another
   * renderer. When the task's own deadline expires, the task fails.
   */
  readonly handle = async (task: RenderTask, signal: AbortSignal): Promise<RenderOutcome> => {
    const { clock } = this.#options;
    const deadline = new TaskDeadline(clock, task.deadlineMs);
    try {
      const either = AbortSignal.any([signal, deadline.signal]);
      // A store that does not respond must not hold a task beyond its deadline.
      const result = await abortable(this.#render(task, deadline, either), either);
      return { status: 'completed', result };
    } catch (error) {
      if (deadline.signal.aborted) return failed(this.#failureOf(deadline.signal.reason, task));
      signal.throwIfAborted();
      return failed(this.#failureOf(error, task));
    } finally {
      deadline.end();
    }
  };

  async #render(task: RenderTask, deadline: TaskDeadline, signal: AbortSignal): Promise<RenderResult> {
    const { store, merging, clock } = this.#options;
    const startedAt = clock.now();
    const start = performance.now();
    const [revision, data] = await Promise.all([this.#revisions.load(task.revisionKey), this.#data(task)]);
    const printing = printingOf(task.options, revision.defaultOptions);
    const loaded = performance.now();
    const writer = this.#options.writers[task.format];
    const document = {
      account: task.account,
      css: revision.css,
      printing,
      features: featuresOf(task, revision),
    };
    const extras = { ...printing.extras, ...writer.mergeExtras?.(document) };
    const job = { revisionKey: task.revisionKey, source: revision, extras, data };
    const merge = await merging.merge(job, signal);
    const merged = performance.now();
    const file = await writer.write({ ...merge, ...document }, turnOf(deadline, signal));
    const printed = performance.now();
    this.#assertSize(file.body);
    signal.throwIfAborted();
    return storeResult(store, task, {
      ...file,
      contentType: contentTypeOf(task.format),
      queuedMs: startedAt.getTime() - Date.parse(task.enqueuedAt),
      mergeMs: merged - loaded,
      printMs: printed - merged,
      startedAt,
      elapsedMs: () => performance.now() - start,
      now: () => clock.now(),
    });
  }

  async #data(task: RenderTask): Promise<Buffer> {
    if (task.data !== undefined) return Buffer.from(task.data);
    const data = await this.#options.store.read(task.dataKey);
    if (data) return data;
    throw new TaskError('data_missing', 'the data of the document is not in the object store');
  }

  #assertSize(file: Buffer): void {
    if (file.length > this.#options.maxOutputBytes) throw PrintError.tooLarge(this.#options.maxOutputBytes);
  }

  #failureOf(error: unknown, task: RenderTask): RenderFailure {
    const { logger } = this.#options;
    if (error instanceof TaskError) {
      // PdfSyntaxError names only structure; other causes may contain document data.
      if (error.cause instanceof PdfSyntaxError) {
        logger.error({ err: error, task: task.id }, 'printed file could not be completed');
      }
      return renderFailure(error);
    }
    if (error instanceof PrintError) {
      logger.warn({ err: error, task: task.id }, 'document failed to print');
      return renderFailure(error);
    }
    if (error instanceof ObjectStoreError) {
      logger.error({ err: error, task: task.id }, 'the object store failed');
      return {
        code: `store_${error.code}`,
        message: `the object store failed (${error.code})`,
        retryable: error.retryable,
      };
    }
    logger.error({ err: error, task: task.id }, 'rendering failed unexpectedly');
    return { code: 'renderer_error', message: 'the renderer failed unexpectedly', retryable: true };
  }
}

function turnOf(deadline: TaskDeadline, signal: AbortSignal): WritingTurn {
  return { signal, waiting: () => deadline.pause(), working: () => deadline.resume() };
}

function featuresOf(task: RenderTask, { displayName }: RevisionContent): DocumentFeatures {
  const { template, version } = task.facts;
  return { mode: task.mode, createdAt: new Date(task.createdAt), title: displayName, template, version };
}

function failed(failure: RenderFailure): RenderOutcome {
  return { status: 'failed', failure };
}
