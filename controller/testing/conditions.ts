import type { Condition } from '@trifold/crds';

/** Whether the condition with that type is present and True. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
