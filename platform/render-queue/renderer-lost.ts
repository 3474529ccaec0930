import type { RenderOutcome } from './port.ts';

/** Outcome of a task whose renderer ended while the task was active. */
export const RENDERER_LOST: RenderOutcome = {
  status: 'failed',
  failure: {
    code: 'renderer_lost',
    message: 'the renderer that worked on the document ended before the document was done',
    retryable: true,
  },
};
