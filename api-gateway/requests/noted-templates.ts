import type { Caller } from '../server/auth/caller.ts';

/** Each request has its own caller object. */
const templates = new WeakMap<Caller, string>();

/** Records for the request log that the template in the caller's request exists. */
export function noteTemplate(caller: Caller, id: string): void {
  templates.set(caller, id);
}

/** Returns the template that the caller's request uses, if it exists: the log must not contain other body values. */
export function notedTemplate(caller: Caller): string | undefined {
  return templates.get(caller);
}
