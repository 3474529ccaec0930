import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LARGE_JSON } from '@trifold/platform/request-body/held-json.ts';

let previous: Promise<void> = Promise.resolve();

/**
 * Lets other work of the process run before somebody continues with a large JSON text. Its parser, its validation, its
 * write and each of its readers then take a turn of the event loop each, instead of one together.
 */
export async function turnFor(json: { readonly length: number } | undefined): Promise<void> {
  if (json === undefined || json.length <= LARGE_JSON) return;
  // Timers that are due run together, and setImmediate can run before sockets; one after the other, both give way.
  const turn = previous.then(async () => wait(1));
  previous = turn.then(async () => nextTurn());
  await turn;
}
