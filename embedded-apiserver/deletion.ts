import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from './encoding/json.ts';
import { markedForDeletion } from './objects/object-changes.ts';
import { notSupported } from './objects/field-error.ts';
import { badRequest, conflict, forbiddenRequest, invalidObject } from './objects/status-error.ts';
import type { Entry } from './store/registry.ts';
import { readEntry, subjectOf, type ObjectTarget, type WriteContext } from './writes.ts';

/** `meta/v1` DeleteOptions, from the body or the query. */
export interface DeleteOptions {
  readonly dryRun?: boolean;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** @default Background; an object that is already being deleted keeps its policy */
  readonly policy?: PropagationPolicy | undefined;
}

/** Finalizer of an owner that waits for its dependents to be deleted. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** Finalizer of an owner whose dependents are losing their reference to it. */
export const ORPHAN_FINALIZER = 'orphan';
const POLICIES = { Background: [], Foreground: [FOREGROUND_FINALIZER], Orphan: [ORPHAN_FINALIZER] } as const;
/** Treatment of a deleted object's dependents (OwnerCollection). */
export type PropagationPolicy = keyof typeof POLICIES;

/** Reads DeleteOptions. Throws StatusError 422 for an unknown policy. */
export function readDeleteOptions(body: JsonObject, query: Readonly<Record<string, string>>): DeleteOptions {
  const preconditions = isObject(body['preconditions']) ? body['preconditions'] : {};
  return {
    policy: policyOf(body, query),
    dryRun: dryRunOf([...list(body['dryRun']), ...list(query['dryRun'])]),
    uid: textOf(preconditions['uid'], 'uid'),
    resourceVersion: textOf(preconditions['resourceVersion'], 'resourceVersion'),
  };
}

function dryRunOf(stages: readonly unknown[]): boolean {
  const unknown = stages.filter((stage) => stage !== 'All');
  if (unknown.length > 0) throw unsupportedOption('dryRun', unknown, ['All']);
  return stages.length > 0;
}

function policyOf(body: JsonObject, query: Readonly<Record<string, string>>): PropagationPolicy | undefined {
  const asked = body['propagationPolicy'] ?? query['propagationPolicy'];
  const names = Object.keys(POLICIES) as PropagationPolicy[];
  const policy = names.find((name) => name === asked);
  if (list(asked).length > 0 && !policy) throw unsupportedOption('propagationPolicy', asked, names);
  // Deprecated predecessor of `propagationPolicy`.
  const orphan = body['orphanDependents'] ?? query['orphanDependents'];
  return policy ?? (orphan === true || orphan === 'true' ? 'Orphan' : undefined);
}

function unsupportedOption(option: string, value: unknown, supported: readonly string[]): Error {
  const subject = { group: 'meta.k8s.io', resource: 'DeleteOptions', name: '' };
  return invalidObject(subject, [notSupported(option, value, supported)]);
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === '' ? [] : [value];
}

function textOf(value: unknown, member: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`preconditions.${member} must be a string`);
  return value;
}

/** Result of a deletion: the object is gone, or it is marked and kept until its last finalizer is removed. */
export interface Deletion {
  readonly entry: Entry;
  readonly gone: boolean;
}

/**
 * Deletes an object, or marks it if it has finalizers or its policy adds one. Throws StatusError 404, or 409 when a
 * precondition fails.
 */
export function deleteObject(
  context: WriteContext,
  target: ObjectTarget,
  options: DeleteOptions = {},
): Deletion {
  const { dryRun = false } = options;
  const entry = readEntry(context.registry, target);
  checkPreconditions(target, entry, options);
  if (target.kind.kind === 'Namespace') return deleteNamespace(context, target, entry, dryRun);
  const { finalizers = [] } = entry.object.metadata;
  const kept = finalizersFor(finalizers, options.policy);
  if (kept.length === 0) return { entry: dryRun ? entry : context.registry.remove(entry), gone: true };
  return { entry: dryRun ? entry : markEntry(context, target, entry, kept), gone: false };
}

/** Marks an object, unless it is already marked, and sets its finalizers. */
function markEntry(context: WriteContext, target: ObjectTarget, entry: Entry, finalizers: string[]): Entry {
  const isMarked = entry.object.metadata.deletionTimestamp !== undefined;
  if (isMarked && isDeepStrictEqual(finalizers, entry.object.metadata.finalizers)) return entry;
  const marked = isMarked ? entry.object : markedForDeletion(target.kind, entry.object, context.clock.now());
  return context.registry.write(
    entry.key,
    { ...marked, metadata: { ...marked.metadata, finalizers } },
    entry,
  );
}

/** A policy replaces the finalizer of another policy. */
function finalizersFor(finalizers: readonly string[], policy: PropagationPolicy | undefined): string[] {
  return policy === undefined ? [...finalizers] : [...withoutPolicy(finalizers), ...POLICIES[policy]];
}

/** Returns the finalizers that do not come from a policy. */
export function withoutPolicy(finalizers: readonly string[]): string[] {
  return finalizers.filter((name) => name !== FOREGROUND_FINALIZER && name !== ORPHAN_FINALIZER);
}

function deleteNamespace(
  context: WriteContext,
  target: ObjectTarget,
  entry: Entry,
  dryRun: boolean,
): Deletion {
  if (target.name === 'default')
    throw forbiddenRequest(subjectOf(target), 'this namespace may not be deleted');
  if (dryRun || entry.object.metadata.deletionTimestamp !== undefined) return { entry, gone: false };
  const marked = markedForDeletion(target.kind, entry.object, context.clock.now());
  delete marked.metadata.deletionGracePeriodSeconds;
  marked['status'] = { ...(isObject(marked['status']) && marked['status']), phase: 'Terminating' };
  return { entry: context.registry.write(entry.key, marked, entry), gone: false };
}

function checkPreconditions(target: ObjectTarget, entry: Entry, options: DeleteOptions): void {
  const subject = { ...subjectOf(target), resource: target.kind.kind };
  const { uid, resourceVersion } = entry.object.metadata;
  if (options.uid !== undefined && options.uid !== uid)
    throw conflict(
      subject,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion)
    throw conflict(
      subject,
      `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
}
