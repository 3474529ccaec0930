import type { DocumentResult, DocumentWarning } from '@trifold/crds';
import {
  CANCELLED,
  documentMetadata,
  isTombstone,
  resultMetadata,
  storedResult,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { PresignedStore } from '@trifold/platform/object-store/port.ts';
import type { AttemptProgress, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { runInSlices, sha256 } from '../time-slices.ts';
import { rounded } from './render-progress.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

export interface FinishedDocument {
  readonly body: Buffer;
  readonly contentType: string;
  readonly pages: number;
  readonly warnings: readonly DocumentWarning[];
  readonly timings: NonNullable<AttemptProgress['timings']>;
  readonly startedAt: Date;
  /** Milliseconds from the start of the task until now. */
  readonly elapsedMs: () => number;
  readonly now: () => Date;
}

/**
 * Stores a document once. The reported result equals the object's metadata, so that it does not change as long as the
 * document is kept. The time of the put itself is therefore not in `renderTimeMs`, only in the reported `storeMs`. The
 * loser of a race reports the winner's result. Throws DocumentError `cancelled` when the document was deleted in the
 * meantime.
 */
export async function storeResult(
  store: Pick<PresignedStore, 'put' | 'head'>,
  task: RenderTask,
  document: FinishedDocument,
): Promise<DocumentResult> {
  const { body, pages, warnings, startedAt } = document;
  const { queuedMs = 0, mergeMs = 0, printMs = 0 } = document.timings;
  const putAt = performance.now();
  const result = {
    pages,
    sha256: await runInSlices(sha256(body)),
    renderTimeMs: Math.round(document.elapsedMs()),
    timings: { queuedMs, mergeMs, printMs, storeMs: 0 },
    startedAt: startedAt.toISOString(),
    finishedAt: document.now().toISOString(),
  };
  const { created } = await store.put(task.resultKey, body, {
    contentType: document.contentType,
    metadata: { ...documentMetadata(task.document), ...resultMetadata(result) },
    ifAbsent: true,
  });
  if (!created) return winnersResult(store, task);
  const timings = { ...result.timings, storeMs: rounded(performance.now() - putAt) };
  return { ...result, size: body.length, timings, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}

async function winnersResult(store: Pick<PresignedStore, 'head'>, task: RenderTask): Promise<DocumentResult> {
  const info = await store.head(task.resultKey);
  if (info && isTombstone(info)) throw new DocumentError(CANCELLED.code, CANCELLED.message);
  const result = info && storedResult(info);
  if (result) return result;
  throw new DocumentError('result_unreadable', "another object is stored under the document's key");
}
