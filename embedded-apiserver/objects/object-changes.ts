import { isDeepStrictEqual } from 'node:util';
import { randomInt, randomUUID } from 'node:crypto';
import { toKubernetesTime } from '@trifold/crds';
import type { ServedKind } from '../served-kind.ts';
import type { SentMeta, SentObject, StoredMeta, StoredObject } from './stored-object.ts';

/** Letters and digits that do not form words (apimachinery `util/rand`). */
const NAME_SUFFIX = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns `generateName` with five random characters; truncates the prefix so that the name is a valid label. */
export function generatedName(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => NAME_SUFFIX[randomInt(NAME_SUFFIX.length)]).join('');
  return `${prefix.slice(0, 58)}${suffix}`;
}

/** Returns the object that a create writes, with the metadata that the server sets and without status. */
export function newObject(
  kind: ServedKind,
  sent: SentObject,
  target: { namespace: string | undefined; now: Date },
): StoredObject {
  const { name = '', generateName, labels, annotations, finalizers, ownerReferences } = sent.metadata;
  const metadata: StoredMeta = {
    name: name === '' && generateName ? generatedName(generateName) : name,
    ...(generateName && { generateName }),
    ...(target.namespace !== undefined && { namespace: target.namespace }),
    uid: randomUUID(),
    resourceVersion: '',
    ...(kind.behaviour.generation && { generation: 1 }),
    creationTimestamp: toKubernetesTime(target.now),
    ...definedParts({ labels, annotations, finalizers, ownerReferences }),
  };
  const object: StoredObject = { ...sent, metadata };
  if (kind.statusSubresource) delete object['status'];
  kind.behaviour.prepare?.(object, undefined);
  return object;
}

/** Returns the object that a replace or patch of the main resource writes; the status does not change. */
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

/** Returns the object that a write to the status subresource writes; only the status changes. */
export function objectWithStatus(sent: SentObject, old: StoredObject): StoredObject {
  const { status: _, ...rest } = old;
  const object = { ...rest, metadata: { ...old.metadata } } as StoredObject;
  if (sent['status'] !== undefined) object['status'] = sent['status'];
  return object;
}

/** Metadata fields that a caller may omit but not change; validation rejects a change. */
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

/** Whether all fields except metadata and status are equal. */
function sameSpec(object: StoredObject, old: StoredObject): boolean {
  const members = new Set([...Object.keys(object), ...Object.keys(old)]);
  members.delete('metadata');
  members.delete('status');
  return [...members].every((member) => isDeepStrictEqual(object[member], old[member]));
}

/** Marks an object for deletion: it is kept until its finalizers are gone. */
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
