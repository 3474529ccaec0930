import type { FoundWarning } from '../browser/page/document-requests.ts';
import { violationText, type ConformanceError, type Violation } from '../pdf/standards/conformance-error.ts';
import { levelName } from '../pdf/standards/level.ts';

/** Returns a warning about a broken rule. */
export function conformanceWarning(violation: Violation): FoundWarning {
  const { level, element, literals = [] } = violation;
  return {
    code: 'conformance_broken',
    message: violationText(violation),
    name: element?.name ?? levelName(level),
    literal: element?.literals ?? literals,
  };
}

/**
 * Returns the warnings of a document that cannot conform: first the broken rules that its error does not state. Omits
 * the other warnings about elements that break a rule.
 */
export function withBrokenRules(
  warnings: readonly FoundWarning[],
  { violation, others }: ConformanceError,
): FoundWarning[] {
  const causes = new Set<unknown>([violation, ...others].map(({ element }) => element?.literals));
  causes.delete(undefined);
  return [...others.map(conformanceWarning), ...warnings.filter(({ literal }) => !causes.has(literal))];
}
