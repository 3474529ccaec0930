import { applyPatch, Pointer, type Operation } from 'rfc6902';
import { isObject, type JsonObject } from '../encoding/json.ts';
import { badRequest, tooLarge, unprocessable } from '../objects/status-error.ts';

/** Operations in one patch (kube-apiserver's `MaxJSONPatchOperations`). */
const OPERATIONS_LIMIT = 10_000;

/** A JSON patch (RFC 6902) applied to a copy. Refuses with 400 what is no patch, with 422 what does not apply. */
export function applyJsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch) || !patch.every(isObject))
    throw badRequest('error decoding patch: it must be a list of operations');
  if (patch.length > OPERATIONS_LIMIT)
    throw badRequest(`a patch may have ${OPERATIONS_LIMIT} operations, this one has ${patch.length}`);
  const result = structuredClone(target);
  if (!applies(result, patch as unknown as Operation[])) throw unprocessable();
  return result;
}

/** What copy operations may add in all, bytes: a few of them can double an object over and over. */
const COPY_LIMIT = 3 * 1024 * 1024;

/** Stops at the first operation that fails: the copy is thrown away then. */
function applies(target: JsonObject, operations: readonly Operation[]): boolean {
  let copied = 0;
  for (const operation of operations) {
    copied += operation.op === 'copy' ? sizeAt(target, operation.from) : 0;
    if (copied > COPY_LIMIT) throw tooLarge(COPY_LIMIT);
    if (!applyOne(target, operation)) return false;
  }
  return true;
}

/** The library throws for pointers that are malformed. */
function applyOne(target: JsonObject, operation: Operation): boolean {
  try {
    if (operation.op === 'replace' && isBehindArray(target, operation.path)) return false;
    return applyPatch(target, [operation])[0] === null;
  } catch {
    return false;
  }
}

/** `-` names what is behind the last item: nothing that could be replaced. The library sets a member `-` instead. */
function isBehindArray(target: JsonObject, pointer: string): boolean {
  return pointer.endsWith('/-') && Array.isArray(Pointer.fromJSON(pointer.slice(0, -2)).get(target));
}

function sizeAt(target: JsonObject, pointer: unknown): number {
  if (typeof pointer !== 'string') return 0;
  try {
    return JSON.stringify(Pointer.fromJSON(pointer).get(target) ?? null).length;
  } catch {
    return 0;
  }
}
