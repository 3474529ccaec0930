import { isDeepStrictEqual } from 'node:util';
import { invalid } from './objects/field-error.ts';
import { newObject, objectWithStatus, updatedObject } from './objects/object-changes.ts';
import { validateObject } from './objects/object-validation.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  internalError,
  invalidObject,
  notFound,
  type Subject,
} from './objects/status-error.ts';
import type { SentObject, StoredObject } from './objects/stored-object.ts';
import { storageKey, type ServedKind } from './served-kind.ts';
import type { Entry, Registry } from './store/registry.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';

/** An object or its subresource. */
export interface ObjectTarget {
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: 'status' | undefined;
}

/** The collection that a create adds to. */
export type CollectionTarget = Pick<ObjectTarget, 'kind' | 'namespace'>;

/** Dependencies of every write. */
export interface WriteContext {
  readonly registry: Registry;
  /** Throws StatusError for a create in a namespace that does not admit it (NamespaceLifecycle). */
  readonly namespaces: { admit(target: CollectionTarget, name: string): void };
  readonly clock: Clock;
}

/** Options for an update. In a replace, the uid is a precondition; in a patch, it is an attempted change. */
export interface UpdateOptions {
  readonly dryRun: boolean;
  readonly method: 'replace' | 'patch';
}

/** Returns the error subject for a named object. */
export function subjectOf(target: { kind: ServedKind; name: string }): Subject {
  return { group: target.kind.group, resource: target.kind.plural, name: target.name };
}

/** Returns the current state of an object. Throws StatusError 404. */
export function readEntry(registry: Registry, target: Omit<ObjectTarget, 'subresource'>): Entry {
  const entry = registry.read(storageKey(target.kind, target.namespace, target.name));
  if (!entry) throw notFound(subjectOf(target));
  return entry;
}

/** Maximum number of attempts to generate an unused name (apiserver `maxNameGenerationCreateAttempts`). */
const NAME_ATTEMPTS = 8;

/** Creates an object. Returns the written object, or, in a dry run, the one that would be written. */
export function createObject(
  context: WriteContext,
  target: CollectionTarget,
  sent: SentObject,
  dryRun: boolean,
): Entry {
  checkSentNamespace(target, sent);
  context.namespaces.admit(target, sent.metadata.name ?? '');
  if (sent.metadata.resourceVersion !== undefined)
    throw internalError('resourceVersion should not be set on objects to be created');
  const { object, key } = unusedName(context, target, sent);
  validateObject(target.kind, object, undefined);
  if (context.registry.table.has(key))
    throw alreadyExists(subjectOf({ kind: target.kind, name: object.metadata.name }));
  return dryRun ? unwritten(key, object) : context.registry.write(key, object);
}

function unusedName(
  context: WriteContext,
  target: CollectionTarget,
  sent: SentObject,
): { object: StoredObject; key: string } {
  for (let attempt = 1; ; attempt += 1) {
    const object = newObject(target.kind, sent, {
      namespace: target.kind.namespaced ? target.namespace : undefined,
      now: context.clock.now(),
    });
    const key = storageKey(target.kind, target.namespace, object.metadata.name);
    const generated = !sent.metadata.name && sent.metadata.generateName;
    if (!generated || attempt >= NAME_ATTEMPTS || !context.registry.table.has(key)) return { object, key };
  }
}

function checkSentNamespace(target: CollectionTarget, sent: SentObject): void {
  const { namespace } = sent.metadata;
  if (target.kind.namespaced && namespace !== undefined && namespace !== target.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** Returns an entry for an object that is not written: a dry run, or a write without changes. */
function unwritten(key: string, object: StoredObject): Entry {
  if (object.metadata.resourceVersion === '')
    delete (object.metadata as Partial<typeof object.metadata>).resourceVersion;
  return { key, revision: 0, object, json: JSON.stringify(object) };
}

/**
 * Writes a new state of an object or its status. Throws StatusError 409 if the resourceVersion is not the current one.
 * Removes an object that is marked for deletion and has no finalizers left.
 */
export function updateObject(
  context: WriteContext,
  target: ObjectTarget,
  change: { readonly before: Entry; readonly sent: SentObject },
  options: UpdateOptions,
): Entry {
  const { before, sent } = change;
  checkIdentity(target, sent);
  checkPreconditions(target, sent, before, options);
  const isStatus = target.subresource === 'status';
  const object = isStatus
    ? objectWithStatus(sent, before.object)
    : updatedObject(target.kind, sent, before.object);
  validateObject(target.kind, object, before.object, isStatus ? 'status' : 'whole');
  if (options.dryRun) return unwritten(before.key, object);
  if (isFinal(object)) return removeLast(context.registry, before, object);
  return isDeepStrictEqual(object, before.object)
    ? before
    : context.registry.write(before.key, object, before);
}

function isFinal(object: StoredObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && !object.metadata.finalizers?.length;
}

/** A namespace marked for deletion is kept even without a finalizer, because it still has content. */
function removeLast(registry: Registry, before: Entry, object: StoredObject): Entry {
  if (before.object.kind !== 'Namespace') return registry.remove(before, object);
  return isDeepStrictEqual(object, before.object) ? before : registry.write(before.key, object, before);
}

function checkIdentity(target: ObjectTarget, sent: SentObject): void {
  const { name } = sent.metadata;
  if (name !== undefined && name !== target.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  checkSentNamespace(target, sent);
  if (name === undefined)
    throw badRequest(`the object must have a name, and it must match the name on the URL (${target.name})`);
}

function checkPreconditions(
  target: ObjectTarget,
  sent: SentObject,
  before: Entry,
  options: UpdateOptions,
): void {
  const subject = subjectOf(target);
  const { uid, resourceVersion } = sent.metadata;
  if (options.method === 'replace' && uid !== undefined && uid !== before.object.metadata.uid)
    throw conflict(
      subject,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${before.object.metadata.uid}`,
    );
  if (resourceVersion === undefined || resourceVersion === '0') {
    if (!target.kind.behaviour.unconditionalUpdate)
      throw invalidObject(subject, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    return;
  }
  if (!/^\d+$/.test(resourceVersion))
    throw internalError(`resourceVersion ${JSON.stringify(resourceVersion)} is not a number`);
  if (Number(resourceVersion) !== before.revision)
    throw conflict(
      subject,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
}
