import { setTimeout as wait } from 'node:timers/promises';

/** Size in characters or bytes above which parsing JSON with many members takes milliseconds. */
const LARGE = 128 * 1024;

/**
 * Lets other work of the process run before somebody continues with a large JSON text. Its parser, its validation, its
 * write and each of its readers then take a turn of the event loop each, instead of one together.
 */
export async function turnFor(json: { readonly length: number } | undefined): Promise<void> {
  // A timer, because setImmediate runs before timers and sockets when it is called from a socket's callback.
  if (json !== undefined && json.length > LARGE) await wait(1);
}
