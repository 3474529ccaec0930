import type { CheckedRule } from './rule-at-level.ts';

/**
 * Reports that a file breaks a rule: throws ConformanceError if the rule applies to the file's level. `what` is a
 * clause with the subject; `literals` are strings of the template, one of which may cause it.
 */
export type Report = (rule: CheckedRule, what: string, literals?: readonly string[]) => void;
