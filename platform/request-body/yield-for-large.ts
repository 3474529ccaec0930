import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { LARGE_JSON } from './raw-json.ts';

let previous: Promise<void> = Promise.resolve();

/**
 * Lets other work of the process run before the caller continues with a JSON text longer than LARGE_JSON. Await it
 * between steps that walk the whole text or value: each step then has a turn of the event loop of its own.
 */
export async function yieldForLarge(json: { readonly length: number } | undefined): Promise<void> {
  if (json === undefined || json.length <= LARGE_JSON) return;
  const turn = previous.then(async () => wait(1));
  // After a long step all timers are due, the next step's too: one more turn serves the others first.
  previous = turn.then(async () => nextTurn()).then(async () => nextTurn());
  await turn;
}
