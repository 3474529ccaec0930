import type { CheckedRule } from './rule-at-level.ts';

/**
 * Reports that a document breaks a rule; ignored if the rule does not apply to the document's level. `rule` is
 * undefined for our own rules. `what` is a clause with the subject; `literals` are strings that may be the cause, if
 * the template contains them.
 */
export type Report = (rule: CheckedRule | undefined, what: string, literals?: readonly string[]) => void;
