import { badRequest } from '../objects/status-error.ts';
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

/**
 * Applies a strategic merge patch that is equivalent to a merge patch. Throws StatusError 400 for one that contains a
 * list or a directive.
 */
export function applyStrategicMergePatch(target: unknown, patch: JsonObject): unknown {
  if (!mergesOnlyMaps(patch))
    throw badRequest(
      'a strategic merge patch may contain neither lists nor directives; use a merge patch (kubectl patch --type merge)',
    );
  return applyMergePatch(target, patch);
}

function mergesOnlyMaps(patch: JsonObject): boolean {
  return Object.entries(patch).every(
    ([member, value]) =>
      !member.startsWith('$') && !Array.isArray(value) && (!isObject(value) || mergesOnlyMaps(value)),
  );
}
