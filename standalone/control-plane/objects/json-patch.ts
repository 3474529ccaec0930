import { applyPatch, type Operation } from 'rfc6902';
import { cloneJson, isObject, type JsonObject } from './json.ts';
import { badRequest, unprocessable } from './refusal.ts';

/** Operations in one patch (kube-apiserver's `MaxJSONPatchOperations`). */
const OPERATIONS_LIMIT = 10_000;

/** A JSON patch (RFC 6902) applied to a copy. Refuses with 400 what is no patch, with 422 what does not apply. */
export function applyJsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch) || !patch.every(isObject))
    throw badRequest('error decoding patch: it must be a list of operations');
  if (patch.length > OPERATIONS_LIMIT)
    throw badRequest(`a patch may have ${OPERATIONS_LIMIT} operations, this one has ${patch.length}`);
  const result = cloneJson(target);
  if (!applies(result, patch as unknown as Operation[])) throw unprocessable();
  return result;
}

/** Stops at the first operation that fails: the copy is thrown away then. */
function applies(target: JsonObject, operations: readonly Operation[]): boolean {
  try {
    return operations.every((operation) => applyPatch(target, [operation])[0] === null);
  } catch {
    return false;
  }
}
