import {
  contentTypeOf,
  FACTUR_X_CONFORMANCE,
  hasEInvoice,
  type DocumentResult,
  type DocumentWarning,
  type RenderOptions,
  type WrittenFormat,
} from '@trifold/crds';
import { setImmediate } from 'node:timers/promises';
import { abortable } from '@trifold/platform/async/abortable.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { DeclaredInvoice } from '@trifold/platform/e-invoices/declared-invoice.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { ObjectStoreError, type PresignedStore } from '@trifold/platform/object-store/port.ts';
import type { PreviewOutcome, PreviewTask } from '@trifold/platform/previews/port.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { unpackAttachments, type Attachment } from '@trifold/platform/records/documents/attachments.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import { mapDecorations } from '@trifold/platform/templating/decorations.ts';
import { canonicalJson, sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { PrintError } from '../browser/page/print-error.ts';
import type { FormatWriter, WritingTurn, WrittenFile } from '../formats/format-writer.ts';
import type { MergePool } from '../merge/merge-pool.ts';
import type { DocumentFeatures } from '../pdf/finish-pdf.ts';
import { PdfSyntaxError } from '../pdf/file/pdf-syntax.ts';
import { placedError } from './placed-warnings.ts';
import { printingOf } from './print-settings.ts';
import { RenderProgress } from './render-progress.ts';
import { RevisionCache } from './revision-cache.ts';
import { storeResult } from './stored-result.ts';
import { TaskDeadline } from './task-deadline.ts';
import {
  DocumentError,
  documentFailure,
  type DocumentFailure,
} from '@trifold/platform/errors/document-error.ts';

export interface RenderTasksOptions {
  /** Returns a task's objects. */
  readonly storeOf: (task: RenderTask) => PresignedStore;
  readonly merging: MergePool;
  readonly writers: Readonly<Record<WrittenFormat, FormatWriter>>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum size of a finished document, in bytes. */
  readonly maxOutputBytes: number;
}

/** A document whose template and data have been read. */
interface LoadedDocument {
  readonly account: string;
  readonly priority: Priority;
  readonly format: WrittenFormat;
  /** Identifies the template's source. */
  readonly revisionKey: string;
  readonly revision: RevisionContent;
  readonly data: Uint8Array;
  readonly options: RenderOptions;
  readonly features: DocumentFeatures;
  readonly declared?: DeclaredInvoice | undefined;
}

interface CheckedFile extends WrittenFile {
  readonly warnings: readonly DocumentWarning[];
}

interface TaskTurn extends WritingTurn {
  readonly progress: RenderProgress;
}

type FailedOutcome = Extract<RenderOutcome, { status: 'failed' }>;

/** Renders tasks: revision and data → merge → output file (print, watermark, date) → store. */
export class RenderTasks {
  readonly #options: RenderTasksOptions;
  readonly #revisions = new RevisionCache();

  constructor(options: RenderTasksOptions) {
    this.#options = options;
  }

  /**
   * Handler for the queue. Rejects only when `signal` is aborted, with its reason; another renderer then takes the
   * task. When the task's own deadline expires, the task fails.
   */
  readonly handle = async (task: RenderTask, signal: AbortSignal): Promise<RenderOutcome> =>
    this.#withinDeadline(task, signal, async (turn) => {
      return { status: 'completed', result: await this.#render(task, turn) };
    });

  /**
   * Renders a preview and returns its file. Uses neither the queue nor the store. Rejects with the same errors as
   * `handle`.
   */
  readonly preview = async (task: PreviewTask, signal: AbortSignal): Promise<PreviewOutcome> =>
    this.#withinDeadline(task, signal, async (turn) => {
      const { body, warnings } = await this.#write(loadedPreview(task), turn);
      const { mergeMs = 0, printMs = 0 } = turn.progress.timings;
      return { status: 'completed', file: body, warnings, timings: { mergeMs, printMs } };
    });

  async #withinDeadline<T>(
    task: Pick<RenderTask, 'id' | 'deadlineMs'> & Partial<Pick<RenderTask, 'enqueuedAt'>>,
    signal: AbortSignal,
    work: (turn: TaskTurn) => Promise<T>,
  ): Promise<T | FailedOutcome> {
    const { clock } = this.#options;
    const deadline = new TaskDeadline(clock, task.deadlineMs);
    const progress = new RenderProgress(clock.now(), task.enqueuedAt);
    try {
      const either = AbortSignal.any([signal, deadline.signal]);
      const { warnings } = progress;
      const turn = { waiting: () => deadline.pause(), working: () => deadline.resume(), warnings, progress };
      // A store that does not respond must not hold a task beyond its deadline.
      return await abortable(work({ ...turn, signal: either }), either);
    } catch (error) {
      if (!deadline.signal.aborted) signal.throwIfAborted();
      const reason: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
      // Lets a page that the deadline has just aborted add its warnings.
      await setImmediate();
      return { status: 'failed', failure: this.#failureOf(reason, task), progress: progress.report() };
    } finally {
      deadline.end();
    }
  }

  async #render(task: RenderTask, turn: TaskTurn): Promise<DocumentResult> {
    const { storeOf, clock } = this.#options;
    const { format } = task.document;
    const store = storeOf(task);
    const startedAt = clock.now();
    const start = performance.now();
    const [revision, data, attachments] = await Promise.all([
      this.#revisions.load(store, task.revisionKey),
      dataOf(store, task),
      attachmentsOf(store, task),
    ]);
    const { declared } = hasEInvoice(revision.eInvoice, format) ? eInvoiceIn(attachments) : {};
    const features = { ...featuresOf(task, revision), attachments };
    const loaded = { ...task, priority: task.queue, revision, data, features, declared };
    const file =
      format === 'xml' ? eInvoiceFile(attachments) : await this.#write({ ...loaded, format }, turn);
    turn.signal.throwIfAborted();
    turn.progress.begin('storeMs');
    return storeResult(store, task, {
      ...file,
      contentType: contentTypeOf(format),
      timings: turn.progress.timings,
      startedAt,
      elapsedMs: () => performance.now() - start,
      now: () => clock.now(),
    });
  }

  async #write(loaded: LoadedDocument, turn: TaskTurn): Promise<CheckedFile> {
    const { progress, warnings } = turn;
    const { merging, writers, maxOutputBytes } = this.#options;
    const { account, priority, format, revisionKey, revision, data, features, declared } = loaded;
    progress.begin('mergeMs');
    const printing = printingOf(archivable(loaded), revision.defaultOptions);
    const writer = writers[format];
    const document = { account, priority, css: revision.css, printing, features, declared };
    const extras = { ...printing.extras, ...writer.mergeExtras?.(document) };
    const hasAuthor = features.mode !== 'live';
    const job = { revisionKey, source: revision, extras, data, hasAuthor };
    const decorations = mapDecorations(extras, (content) => content);
    const sources = { html: revision.html, css: revision.css, ...decorations };
    progress.sources = sources;
    const merge = await merging.merge(job, { account, signal: turn.signal, warnings });
    progress.begin('printMs');
    const file = await writer.write({ ...merge, ...document }, turn).catch((error: unknown) => {
      throw placedError(error, sources);
    });
    if (file.body.length > maxOutputBytes) throw PrintError.tooLarge(maxOutputBytes);
    return { ...file, warnings: progress.placedWarnings };
  }

  #failureOf(error: unknown, task: Pick<RenderTask, 'id'>): DocumentFailure {
    const { logger } = this.#options;
    if (error instanceof PrintError) {
      logger.warn({ err: error, task: task.id }, 'document failed to print');
      return documentFailure(error.code, error.message);
    }
    if (error instanceof DocumentError) {
      // PdfSyntaxError names only structure; other causes may contain document data.
      if (error.cause instanceof PdfSyntaxError) {
        logger.error({ err: error, task: task.id }, 'printed file could not be completed');
      }
      return documentFailure(error.code, error.message, error.place);
    }
    if (error instanceof ObjectStoreError) {
      logger.error({ err: error, task: task.id }, 'the object store failed');
      return documentFailure(`store_${error.code}`, `the object store failed (${error.code})`);
    }
    logger.error({ err: error, task: task.id }, 'rendering failed unexpectedly');
    return documentFailure('renderer_error', 'the renderer failed unexpectedly');
  }
}

async function dataOf(store: PresignedStore, task: RenderTask): Promise<Buffer> {
  if (task.data !== undefined) return Buffer.from(task.data);
  const data = await store.read(task.dataKey);
  if (data) return data;
  throw new DocumentError('data_missing', "the document's data is not in the object store");
}

async function attachmentsOf(
  store: PresignedStore,
  { attachmentKeys = [] }: RenderTask,
): Promise<Attachment[]> {
  const packed = await Promise.all(attachmentKeys.map((key) => store.read(key)));
  return packed.flatMap((bytes) => {
    if (bytes) return unpackAttachments(bytes);
    throw new DocumentError('data_missing', 'the attachments are not in the object store');
  });
}

/** Returns a document's e-invoice. Throws DocumentError if there is none. */
function eInvoiceIn(attachments: readonly Attachment[]): Attachment {
  const found = attachments.find((attachment) => attachment.eInvoice !== undefined);
  if (found) return found;
  // Every document that the gateway or the controller checked has one.
  const message =
    'there is no e-invoice for the document: create it with /v1 or, with kubectl, as a GenerationJob without keyId';
  throw new DocumentError('data_missing', message);
}

/** The document is the e-invoice. */
function eInvoiceFile(attachments: readonly Attachment[]): CheckedFile {
  return { body: eInvoiceIn(attachments).bytes, pages: 0, warnings: [] };
}

/** Returns a document's options; a PDF with an e-invoice needs a PDF/A-3 level. */
function archivable({ format, options, revision, features }: LoadedDocument): RenderOptions {
  const isSet = options.conformance ?? revision.defaultOptions?.conformance;
  // A document can have an e-invoice that its template does not create.
  const isInvoice =
    hasEInvoice(revision.eInvoice, format) || features.attachments?.some(({ eInvoice }) => eInvoice);
  if (isSet || !isInvoice) return options;
  return { ...options, conformance: FACTUR_X_CONFORMANCE };
}

function featuresOf({ resultKey, document }: RenderTask, { displayName }: RevisionContent): DocumentFeatures {
  const { mode, createdAt, template, version } = document;
  const metadata = { title: displayName, template, version: version?.toString() };
  return { mode, id: resultKey, createdAt: new Date(createdAt), ...metadata };
}

/** The key contains the source's hash, so that other data and options reuse the compiled template. */
function loadedPreview(task: PreviewTask): LoadedDocument {
  const { template } = task;
  const { html, css, displayName: title } = template;
  const createdAt = new Date(task.createdAt);
  const features = { mode: 'preview', createdAt, title } as const;
  return {
    ...task,
    priority: 'interactive',
    revisionKey: `previews/${sha256Hex(canonicalJson({ html, css }))}`,
    revision: template,
    features,
  };
}
