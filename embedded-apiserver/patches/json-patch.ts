import { applyPatch, Pointer, type Operation } from 'rfc6902';
import { nestsTooDeep } from '@trifold/platform/request-body/json-size.ts';
import { DEPTH_LIMIT } from '../encoding/body.ts';
import { isObject, type JsonObject } from '../encoding/json.ts';
import { badRequest, tooLarge, unprocessable } from '../objects/status-error.ts';

/** Maximum number of operations in a patch (kube-apiserver's `MaxJSONPatchOperations`). */
const OPERATIONS_LIMIT = 10_000;

/** Applies a JSON patch (RFC 6902) to a copy. Throws StatusError 400 if it is malformed, 422 if it does not apply. */
export function applyJsonPatch(target: JsonObject, patch: unknown): JsonObject {
  if (!Array.isArray(patch) || !patch.every(isObject))
    throw badRequest('error decoding patch: it must be a list of operations');
  if (patch.length > OPERATIONS_LIMIT)
    throw badRequest(
      `a patch is limited to ${OPERATIONS_LIMIT} operations, but this one has ${patch.length}`,
    );
  const result = structuredClone(target);
  if (!applies(result, patch as unknown as Operation[]) || nestsTooDeep(result, DEPTH_LIMIT))
    throw unprocessable();
  return result;
}

/** Maximum total size that copy operations may add, in bytes: a few of them can double an object repeatedly. */
const COPY_LIMIT = 3 * 1024 * 1024;

/** Stops at the first operation that fails; the caller then discards the copy. */
function applies(target: JsonObject, operations: readonly Operation[]): boolean {
  let copied = 0;
  for (const operation of operations) {
    copied += operation.op === 'copy' ? sizeAt(target, operation.from) : 0;
    if (copied > COPY_LIMIT) throw tooLarge(COPY_LIMIT);
    if (!applyOne(target, operation)) return false;
  }
  return true;
}

/** The library throws for malformed pointers. */
function applyOne(target: JsonObject, operation: Operation): boolean {
  try {
    if (operation.op === 'replace' && isBehindArray(target, operation.path)) return false;
    return applyPatch(target, [operation])[0] === null;
  } catch {
    return false;
  }
}

/** `-` points past the last item, where there is nothing to replace. The library would set a property named `-`. */
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
