import type { CheckedRule } from './rule-at-level.ts';

/**
 * Reports that a file breaks a rule: throws ConformanceError if the rule applies to the file's level. `what` is a
 * clause with the subject; `literals` are strings that may be the cause, if the template contains them.
 */
export type Report = (rule: CheckedRule, what: string, literals?: readonly string[]) => void;
