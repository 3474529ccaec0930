import { withCondition, type Condition, type KubernetesObject } from '@trifold/crds';

interface Observable extends KubernetesObject {
  readonly status?: { readonly conditions?: Condition[] };
}

/** A condition without the fields that are derived from its object and the time. */
export type Observation = Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>;

/** Returns the status fields for the observed generation; each condition replaces the one of the same type. */
export function observed(
  { metadata, status }: Observable,
  conditions: readonly Observation[],
  now: Date,
): { observedGeneration: number; conditions: Condition[] } {
  const observedGeneration = metadata.generation;
  const next = conditions.reduce(
    (list, condition) => withCondition(list, { ...condition, observedGeneration }, now),
    status?.conditions ?? [],
  );
  return { observedGeneration, conditions: next };
}
