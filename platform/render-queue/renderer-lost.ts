import type { RenderOutcome } from './port.ts';

/** What has become of a task whose renderer ended with it in hand. */
export const RENDERER_LOST: RenderOutcome = {
  status: 'failed',
  failure: {
    code: 'renderer_lost',
    message: 'the renderer that worked on the document ended before the document was done',
    retryable: true,
  },
};
