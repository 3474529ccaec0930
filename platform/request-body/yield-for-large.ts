import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LARGE_JSON } from './raw-json.ts';

let previous: Promise<void> = Promise.resolve();

/**
 * Lets other work in the process run before the caller continues with JSON longer than LARGE_JSON. Await it between
 * steps that walk the whole text or value: each step then gets a separate turn of the event loop.
 */
export async function yieldForLarge(json: { readonly length: number } | undefined): Promise<void> {
  if (json === undefined || json.length <= LARGE_JSON) return;
  const turn = previous.then(async () => wait(1));
  // After a long step, all timers are due, including the next step's: one more turn serves the others first.
  previous = turn.then(async () => nextTurn()).then(async () => nextTurn());
  await turn;
}
