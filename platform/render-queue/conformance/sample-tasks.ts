import type { RenderOutcome, RenderTask } from '../port.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** Keys that seal the tasks of tests. */
export const TASK_KEYS = ['a-key-that-only-tests-of-the-queue-use'];

/** Returns a task of the account `acme` with this ID. */
export function taskNamed(id: string, queue: Priority = 'interactive'): RenderTask {
  return {
    id,
    queue,
    account: 'acme',
    document: {
      id: `gen-${id}`,
      uid: id,
      template: 'invoice',
      format: 'pdf',
      mode: 'live',
      createdAt: '2026-11-21T11:59:59.000Z',
      expiresAt: '2026-11-22T11:59:59.000Z',
    },
    revisionKey: 'revisions/acme/1',
    dataKey: `documents/x/acme/${id}.data`,
    resultKey: `documents/x/acme/${id}`,
    options: { pageSize: 'a4', margins: { top: '10mm' } },
    deadlineMs: 60_000,
    enqueuedAt: '2026-11-21T12:00:00.000Z',
  };
}

/** Like `taskNamed`, for another account. */
export function taskOf(account: string, id: string, queue: Priority = 'interactive'): RenderTask {
  return { ...taskNamed(id, queue), account };
}

export const COMPLETED: RenderOutcome = {
  status: 'completed',
  result: {
    size: 1,
    pages: 2,
    sha256: 'a'.repeat(64),
    renderTimeMs: 3,
    timings: { queuedMs: 0.5, mergeMs: 1, printMs: 2, storeMs: 3 },
    startedAt: '2026-11-21T12:00:00.000Z',
    finishedAt: '2026-11-21T12:00:01.000Z',
  },
};

/** Returns the names `name-0`, `name-1` and so on. */
export function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}-${index}`);
}

export function idsOf(tasks: readonly RenderTask[]): string[] {
  return tasks.map(({ id }) => id);
}
