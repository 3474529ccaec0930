/** A process for tests of the pool. */
import { serveParent, type BoundedRequest } from '../serve-parent.ts';

export interface WorkRequest extends BoundedRequest {
  readonly does: 'answer' | 'hang' | 'exit' | 'abort';
}

export interface WorkReply {
  readonly pid: number;
}

serveParent(({ does }: WorkRequest): WorkReply => {
  if (does === 'exit') process.exit(1);
  // Node does this when it runs out of memory.
  if (does === 'abort') process.abort();
  for (let isDone = does !== 'hang'; !isDone;) isDone = false;
  return { pid: process.pid };
});
