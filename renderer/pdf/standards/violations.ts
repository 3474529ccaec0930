import { MAX_FOUND_WARNINGS, type ConformanceLevel } from '@trifold/crds';
import { ConformanceError, type Violation } from './conformance-error.ts';
import type { Report } from './report.ts';
import { ruleAt } from './rule-at-level.ts';

/** Collects the rules that a document breaks, so that its author sees all of them. */
export class Violations {
  readonly level: ConformanceLevel;
  readonly #found = new Map<string, Violation>();

  constructor(level: ConformanceLevel) {
    this.level = level;
  }

  /** The same cause, or the same problem on several pages, counts once. */
  readonly report: Report = (rule, what, literals) => {
    const { level } = this;
    if (rule !== undefined && ruleAt(rule, level) === undefined) return;
    if (this.#found.size === MAX_FOUND_WARNINGS) return;
    const key = JSON.stringify([rule, literals?.[0] ?? what.replace(/\bpage \d+/, 'page')]);
    if (!this.#found.has(key)) this.#found.set(key, { level, rule, what, literals });
  };

  /** In the order in which they were found. */
  get all(): readonly Violation[] {
    return [...this.#found.values()];
  }
}

/** Throws ConformanceError if there are violations, with the first MAX_FOUND_WARNINGS of them. */
export function assertNone(violations: readonly Violation[]): void {
  const [first, ...others] = violations.slice(0, MAX_FOUND_WARNINGS);
  if (first) throw new ConformanceError(first, others);
}
