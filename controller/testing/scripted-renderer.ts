import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import type { DocumentErrorCode } from '@trifold/platform/errors/error-codes.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import {
  documentMetadata,
  resultMetadata,
  storedResult,
} from '@trifold/platform/records/documents/finished-document.ts';

/**
 * Stores a small document for a task as a renderer does: only once; the loser of a race reports the winner's result.
 */
export async function renderInto(store: ObjectStore, task: RenderTask, now: Date): Promise<RenderOutcome> {
  const data = task.data ?? (await store.read(task.dataKey));
  if (!data) return failed('data_missing', false);
  const body = `%PDF ${data.toString()}`;
  const at = now.toISOString();
  const rendered = {
    pages: 2,
    sha256: sha256Hex(body),
    renderTimeMs: 12.5,
    timings: { queuedMs: 0.5, mergeMs: 1, printMs: 9, storeMs: 2 },
    startedAt: at,
    finishedAt: at,
  };
  const metadata = { ...documentMetadata(task.document), ...resultMetadata(rendered) };
  await store.put(task.resultKey, body, { contentType: 'application/pdf', metadata, ifAbsent: true });
  const info = await store.head(task.resultKey);
  const result = info && storedResult(info);
  return result ? { status: 'completed', result } : failed('store_unavailable', true);
}

export function failed(code: DocumentErrorCode, retryable: boolean): RenderOutcome {
  return { status: 'failed', failure: { code, message: `the test says ${code}`, retryable } };
}
