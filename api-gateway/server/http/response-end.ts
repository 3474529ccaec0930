import type { ServerResponse } from 'node:http';

/** One pair of listeners serves all callbacks of a response. */
const callbacks = new WeakMap<ServerResponse, (() => void)[]>();

/** Calls `callback` once: when the kernel has taken the whole response, or when the connection is closed. */
export function onResponseEnd(response: ServerResponse, callback: () => void): void {
  // The connection may have been closed while the request was checked.
  if (response.destroyed) {
    callback();
    return;
  }
  const known = callbacks.get(response);
  if (known) {
    known.push(callback);
    return;
  }
  const all = [callback];
  callbacks.set(response, all);
  const end = () => {
    for (const each of all.splice(0)) each();
  };
  response.once('finish', end).once('close', end);
}
