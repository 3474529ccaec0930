import { withCondition, type Condition, type JobError, type KubernetesObject } from '@trifold/crds';

/** What the schema of JobError allows. */
const ERROR_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const LONGEST_MESSAGE = 4096;

const OTHER_END: Readonly<Record<string, string>> = { Complete: 'Failed', Failed: 'Complete' };

interface Observable extends KubernetesObject {
  readonly status?: { readonly conditions?: Condition[] };
}

/** The members of a status that say what was observed of which generation; the condition takes its type's place. */
export function observed(
  object: Observable,
  condition: Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>,
  now: Date,
): { observedGeneration: number; conditions: Condition[] } {
  const observedGeneration = object.metadata.generation;
  // Of the two ends there is one; the other was written by somebody else.
  const kept = object.status?.conditions?.filter(({ type }) => type !== OTHER_END[condition.type]);
  return { observedGeneration, conditions: withCondition(kept, { ...condition, observedGeneration }, now) };
}

/**
 * A status without the conditions that others may have put into it, for a server that refuses it as a whole: what the
 * controller has just found out, and nothing that it only carried on.
 */
export function withLastCondition<S extends { readonly conditions?: Condition[] }>(status: S): S {
  const { conditions = [] } = status;
  return { ...status, conditions: conditions.slice(-1) };
}

/** The error as the schema takes it: one that it refuses would keep the work from ever ending. */
export function storableError({ code, message }: JobError, longestMessage = LONGEST_MESSAGE): JobError {
  return {
    code: ERROR_CODE.test(code) ? code : 'render_failed',
    message: shortened(message, longestMessage),
  };
}

/** Half a character, which no server stores, becomes a whole one: what was written is what is read. */
function shortened(text: string, most: number): string {
  return (text.length <= most ? text : `${text.slice(0, most - 1)}…`).toWellFormed();
}

/** A condition's reason from an error code: `data_invalid` becomes `DataInvalid`. */
export function reasonOf(code: string): string {
  return code
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** Machines whose clocks differ measure less than nothing; the schema would refuse the whole status for it. */
export function measured(milliseconds: number): number {
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}
