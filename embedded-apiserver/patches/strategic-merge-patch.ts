import { isDeepStrictEqual } from 'node:util';
import { isObject, setMember, type JsonObject } from '../encoding/json.ts';

/**
 * Lists of the built-in kinds that a patch merges instead of replacing, with the member that identifies an item
 * (undefined for plain values). From the `patchMergeKey` tags of meta/v1 and core/v1, for the kinds of this server.
 */
const MERGED_LISTS: ReadonlyMap<string, string | undefined> = new Map([
  ['finalizers', undefined],
  ['ownerReferences', 'uid'],
  ['conditions', 'type'],
]);

const DELETE_FROM_LIST = '$deleteFromPrimitiveList/';

/** Applies a strategic merge patch to a built-in kind. Does not change its arguments. */
export function applyStrategicMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  if (patch['$patch'] === 'delete') return undefined;
  if (patch['$patch'] === 'replace') return withoutDirectives(patch);
  const result: JsonObject = isObject(target) ? { ...target } : {};
  for (const member of Object.keys(patch)) {
    if (member.startsWith(DELETE_FROM_LIST)) dropValues(result, member, patch[member]);
    else if (!member.startsWith('$')) mergeMember(result, member, patch[member]);
  }
  return result;
}

function mergeMember(result: JsonObject, member: string, value: unknown): void {
  const merged =
    Array.isArray(value) && MERGED_LISTS.has(member)
      ? mergeList(result[member], value, MERGED_LISTS.get(member))
      : applyStrategicMergePatch(result[member], value);
  if (merged === null || merged === undefined) delete result[member];
  else setMember(result, member, merged);
}

function mergeList(target: unknown, patch: readonly unknown[], key: string | undefined): unknown[] {
  const result: unknown[] = Array.isArray(target) ? [...(target as unknown[])] : [];
  const identity = (item: unknown) => (key !== undefined && isObject(item) ? item[key] : item);
  for (const item of patch) {
    const index = result.findIndex((present) => isDeepStrictEqual(identity(present), identity(item)));
    if (isObject(item) && item['$patch'] === 'delete') result.splice(index, index < 0 ? 0 : 1);
    else if (index < 0) result.push(isObject(item) ? withoutDirectives(item) : item);
    else result[index] = applyStrategicMergePatch(result[index], item);
  }
  return result;
}

function dropValues(result: JsonObject, directive: string, values: unknown): void {
  const member = directive.slice(DELETE_FROM_LIST.length);
  const present = result[member];
  if (Array.isArray(present) && Array.isArray(values))
    result[member] = present.filter((item) => !values.includes(item));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([member]) => !member.startsWith('$')));
}
