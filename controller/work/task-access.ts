import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';

/** Time in which a renderer may begin a dispatched task, in milliseconds. */
const BEGIN_MS = 15 * 60_000;
/**
 * Longest time from the beginning of a task to the put of its file, as a multiple of its deadline: the wait for a browser
 * does not count towards the deadline, and takes up to two of them.
 */
const LONGEST_TASK = 3;
/** Time for the put itself, in milliseconds. */
const PUT_MS = 60_000;

/**
 * Returns the task with requests for exactly its objects: a renderer has no credentials of the store
 * (docs/adr/0038-renderers-without-keys.md). The requests outlast a document that is begun at the last moment. In a store
 * without URLs the task stays as it is.
 */
export async function withAccess(task: RenderTask, store: Pick<ObjectStore, 'presign'>): Promise<RenderTask> {
  const { revisionKey, dataKey, data, resultKey, facts, deadlineMs } = task;
  const longestMs = deadlineMs * LONGEST_TASK + PUT_MS;
  const access = {
    read: [revisionKey, ...(data === undefined ? [dataKey] : [])],
    head: [resultKey],
    put: { key: resultKey, metadata: facts },
  };
  const presigned = await store.presign(access, BEGIN_MS + longestMs);
  if (!presigned) return task;
  const { requests, expiresAt } = presigned;
  return {
    ...task,
    presigned: requests,
    expiresAt: new Date(expiresAt.getTime() - longestMs).toISOString(),
  };
}
