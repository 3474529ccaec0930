import type { ConformanceLevel } from '@trifold/crds';
import { DocumentError, type FailurePlace } from '@trifold/platform/errors/document-error.ts';
import type { InaccessibleElement } from '../../browser/page/accessible-content.ts';
import { levelName } from './level.ts';
import { clauseOf, ruleAt, type CheckedRule } from './rule-at-level.ts';

/** A document element that breaks a rule. */
export type CausingElement = Pick<InaccessibleElement, 'name' | 'literals'>;

/** A broken rule, and its cause. */
export interface Violation {
  readonly level: ConformanceLevel;
  /** Rule of the standard; absent for our own rules. */
  readonly rule?: CheckedRule | undefined;
  /** A clause that states the problem: `page 2 shows a character that no font has`. */
  readonly what: string;
  /** Strings that may be the cause, if the template contains them. */
  readonly literals?: readonly string[] | undefined;
  /** The element that is the cause. Its start tag identifies it only if the template contains the tag once. */
  readonly element?: CausingElement | undefined;
}

/** A document that cannot conform to its level. */
export class ConformanceError extends DocumentError {
  /** The first broken rule, which the message states. */
  readonly violation: Violation;
  /** The other broken rules. */
  readonly others: readonly Violation[];

  constructor(violation: Violation, others: readonly Violation[] = [], place?: FailurePlace) {
    const at = place?.line === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
    const message = `the document cannot conform to ${violationText(violation)}${at}`;
    super('conformance_failed', message, { place });
    this.violation = violation;
    this.others = others;
  }
}

/** States a broken rule: `PDF/UA-1: an image has no alternative text: img.b (ISO 14289-1, 7.3)`. */
export function violationText({ level, rule, what, element }: Violation): string {
  const clause = rule === undefined ? '' : ` (${clauseOf(ruleAt(rule, level) ?? rule, level)})`;
  return `${levelName(level)}: ${what}${element ? `: ${element.name}` : ''}${clause}`;
}
