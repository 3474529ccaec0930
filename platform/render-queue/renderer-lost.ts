import type { RenderOutcome } from './port.ts';
import { documentFailure } from '../service/document-error.ts';

/** Outcome of a task whose renderer ended while the task was active. */
export const RENDERER_LOST: RenderOutcome = {
  status: 'failed',
  failure: documentFailure(
    'renderer_lost',
    'the renderer that worked on the document ended before the document was done',
  ),
};
