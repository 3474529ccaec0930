import { Type, type Static } from 'typebox';
import { StringEnum, Timestamp } from './schema/schema.ts';

/** One observation about an object, shaped as `metav1.Condition`. */
export const Condition = Type.Object({
  type: Type.String({
    maxLength: 316,
    pattern: '^[A-Za-z][A-Za-z0-9]*$',
    description: 'Type, for example Ready or Complete.',
  }),
  status: StringEnum(['True', 'False', 'Unknown'], { description: 'Status.' }),
  reason: Type.String({
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    description: 'Machine-readable reason.',
  }),
  message: Type.String({ maxLength: 32768, description: 'Human-readable message.' }),
  lastTransitionTime: Timestamp({ description: 'Time of the last status change.' }),
  observedGeneration: Type.Optional(
    Type.Integer({ minimum: 0, format: 'int64', description: 'metadata.generation that was observed.' }),
  ),
});
export type Condition = Static<typeof Condition>;

/** Version of an object that its status describes, as a status field. */
export const ObservedGeneration = Type.Integer({
  minimum: 0,
  format: 'int64',
  description: 'metadata.generation that this status describes.',
});

/** Maximum number of conditions per object. */
export const MAX_CONDITIONS = 16;

/** The conditions list as a status field: a map keyed by `type`. */
export function ConditionList() {
  return Type.Array(Condition, {
    maxItems: MAX_CONDITIONS,
    description: 'Observed conditions, one entry per type.',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  });
}

/**
 * Returns the list with `next` in place of the condition with the same type. `lastTransitionTime` is kept if the status
 * did not change. The result is a new list: send all of it, because a merge patch replaces arrays. Drops the first
 * conditions if the list would exceed the server's limit because other clients wrote to it.
 */
export function withCondition(
  conditions: readonly Condition[] | undefined,
  next: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): Condition[] {
  const before = conditions?.find((condition) => condition.type === next.type);
  const lastTransitionTime =
    before?.status === next.status ? before.lastTransitionTime : toKubernetesTime(now);
  const others = (conditions ?? []).filter((condition) => condition.type !== next.type);
  return [...others, { ...next, lastTransitionTime }].slice(-MAX_CONDITIONS);
}

/** Formats a time as `metav1.Time`: RFC 3339 in whole seconds. */
export function toKubernetesTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
