import { isObject, setMember, type JsonObject } from '../encoding/json.ts';

/** Applies a JSON merge patch (RFC 7386). Does not change its arguments; the result shares unchanged parts. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const member of Object.keys(patch)) {
    if (patch[member] === null) delete result[member];
    else setMember(result, member, applyMergePatch(result[member], patch[member]));
  }
  return result;
}
