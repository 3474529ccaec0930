import type { Bound } from './bound.ts';

/** Bounds for the render queue; `controller/work/` keeps the number of tasks in it below them. */
export const QUEUE_BOUNDS = {
  // A task takes up to about 60 KiB in Redis: its options and up to 8 KiB of data, encrypted.
  queuedDocuments: {
    holds: 'memory',
    in: 'queue',
    what: 'Documents in the queue for which clients are waiting',
    per: 'account',
    limit: { value: 250, unit: 'documents' },
    beyond: 'Further documents wait as resources',
  },
  dispatchedDocuments: {
    holds: 'memory',
    in: 'queue',
    what: 'Documents in the asynchronous queue and in the batch queue, across all accounts',
    per: 'queue',
    limit: { value: 500, unit: 'documents' },
    beyond: 'Further documents wait as resources; one batch may exceed the limit',
  },
} as const satisfies Record<string, Bound>;
