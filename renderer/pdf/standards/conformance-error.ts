import type { ConformanceLevel } from '@trifold/crds';
import { DocumentError, type FailurePlace } from '@trifold/platform/errors/document-error.ts';
import { levelName } from './level.ts';
import { clauseOf, ruleAt, type CheckedRule } from './rule-at-level.ts';

/** A broken rule, and its cause. */
export interface Violation {
  readonly level: ConformanceLevel;
  /** Rule of the standard; absent for our own rules. */
  readonly rule?: CheckedRule | undefined;
  /** A clause that states the problem: `page 2 shows a character that no font has`. */
  readonly what: string;
  /** Strings that may be the cause, if the template contains them. */
  readonly literals?: readonly string[] | undefined;
  /** Whether a literal identifies the cause only if the template contains it once, such as a start tag. */
  readonly needsOnePlace?: boolean | undefined;
}

/** A document that cannot conform to its level. */
export class ConformanceError extends DocumentError {
  readonly violation: Violation;

  constructor(violation: Violation, place?: FailurePlace) {
    const { level, rule, what } = violation;
    const clause = rule === undefined ? '' : ` (${clauseOf(ruleAt(rule, level) ?? rule, level)})`;
    const at = place?.line === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
    const message = `the document cannot conform to ${levelName(level)}: ${what}${clause}${at}`;
    super('conformance_failed', message, { place });
    this.violation = violation;
  }
}
