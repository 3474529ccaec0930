import { isDeepStrictEqual } from 'node:util';
import { randomInt, randomUUID } from 'node:crypto';
import { toKubernetesTime } from '@trifold/crds';
import type { ServedKind } from '../served-kind.ts';
import type { SentMeta, SentObject, StoredMeta, StoredObject } from './stored-object.ts';

/** Letters and digits that cannot spell anything (apimachinery `util/rand`). */
const NAME_SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** A name from `generateName` and five random letters; the prefix is cut so that the whole stays a label. */
export function generatedName(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => NAME_SUFFIX[randomInt(NAME_SUFFIX.length)]).join('');
  return `${prefix.slice(0, 58)}${suffix}`;
}

/** The object that a create writes: metadata of the server's own making, no status. */
export function newObject(
  kind: ServedKind,
  sent: SentObject,
  place: { namespace: string | undefined; now: Date },
): StoredObject {
  const { name = '', generateName, labels, annotations, finalizers, ownerReferences } = sent.metadata;
  const metadata: StoredMeta = {
    name: name === '' && generateName ? generatedName(generateName) : name,
    ...(generateName && { generateName }),
    ...(place.namespace !== undefined && { namespace: place.namespace }),
    uid: randomUUID(),
    resourceVersion: '',
    ...(kind.behaviour.generation && { generation: 1 }),
    creationTimestamp: toKubernetesTime(place.now),
    ...definedParts({ labels, annotations, finalizers, ownerReferences }),
  };
  const object: StoredObject = { ...sent, metadata };
  if (kind.statusSubresource) delete object['status'];
  kind.behaviour.prepare?.(object, undefined);
  return object;
}

/** The object that a replace or patch of the main resource writes; its status stays as it was. */
export function updatedObject(kind: ServedKind, sent: SentObject, old: StoredObject): StoredObject {
  const object: StoredObject = { ...sent, metadata: updatedMetadata(sent.metadata, old.metadata) };
  if (kind.statusSubresource) {
    if (old['status'] === undefined) delete object['status'];
    else object['status'] = old['status'];
  }
  kind.behaviour.prepare?.(object, old);
  if (kind.behaviour.generation && !sameSpec(object, old))
    object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  return object;
}

/** The object that a write to the status subresource writes; everything else stays as it was. */
export function objectWithStatus(sent: SentObject, old: StoredObject): StoredObject {
  const { status: _, ...rest } = old;
  const object = { ...rest, metadata: { ...old.metadata } } as StoredObject;
  if (sent['status'] !== undefined) object['status'] = sent['status'];
  return object;
}

/** Members of metadata that a caller may leave out but not change; the change is refused by validation. */
const KEPT = [
  'uid',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const satisfies readonly (keyof StoredMeta)[];

function updatedMetadata(sent: SentMeta, old: StoredMeta): StoredMeta {
  const { labels, annotations, finalizers, ownerReferences, generateName } = sent;
  const kept = Object.fromEntries(KEPT.map((member) => [member, sent[member] ?? old[member]]));
  return {
    name: old.name,
    ...definedParts({ generateName, namespace: old.namespace, uid: kept['uid'] }),
    resourceVersion: old.resourceVersion,
    ...definedParts({ generation: old.generation, creationTimestamp: old.creationTimestamp, ...kept }),
    ...definedParts({ labels, annotations, finalizers, ownerReferences }),
  } as StoredMeta;
}

function definedParts<T extends object>(parts: T): Partial<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Whether everything but metadata and status is the same. */
function sameSpec(object: StoredObject, old: StoredObject): boolean {
  const members = new Set([...Object.keys(object), ...Object.keys(old)]);
  members.delete('metadata');
  members.delete('status');
  return [...members].every((member) => isDeepStrictEqual(object[member], old[member]));
}

/** An object marked for deletion: it stays until its finalizers are gone. */
export function markedForDeletion(kind: ServedKind, old: StoredObject, now: Date): StoredObject {
  const { generation } = old.metadata;
  return {
    ...old,
    metadata: {
      ...old.metadata,
      deletionTimestamp: toKubernetesTime(now),
      deletionGracePeriodSeconds: 0,
      ...(kind.behaviour.generation && generation !== undefined && { generation: generation + 1 }),
    },
  };
}
