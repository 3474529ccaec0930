import type { ConformanceLevel } from '@trifold/crds';
import type { AccessibilityFault, AccessibleContent } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { CausingElement, Violation } from './conformance-error.ts';
import type { CheckedRule } from './rule-at-level.ts';
import { gridFault, type GridFault } from './table-check.ts';

/** For each rule, the fault of an element that breaks it. */
const FAULTS: Readonly<Partial<Record<CheckedRule, AccessibilityFault>>> = {
  '7.3-1': 'image',
  '7.4.2-1': 'heading',
  '7.18.5-1': 'hiddenLink',
};

/** Returns violations with the document's elements that cause them, if their start tags show that: one per element. */
export function* withCauses(
  violations: readonly Violation[],
  { problems, tables }: AccessibleContent,
): SlicedWork<Violation[]> {
  const faulty = violations.length > 0 ? yield* faultyTables(tables) : [];
  const byRule = Map.groupBy(violations, ({ rule }) => rule);
  return [...byRule].flatMap(([rule, same]) => {
    const fault = rule && FAULTS[rule];
    const elements = problems.filter((problem) => problem.fault === fault);
    // Violations that differ, such as the levels of headings, can occur several times.
    const isPaired = same.length === 1 || same.length === elements.length;
    if (elements.length > 0 && isPaired)
      return elements.flatMap((element, index) => {
        const violation = same[index] ?? same[0];
        return violation ? [{ ...violation, element }] : [];
      });
    return same.flatMap((violation) => {
      const causes = tablesOf(violation, faulty);
      return causes.length > 0 ? causes.map((element) => ({ ...violation, element })) : [violation];
    });
  });
}

interface FaultyTable extends GridFault {
  readonly table: CausingElement;
}

function* faultyTables(tables: AccessibleContent['tables']): SlicedWork<FaultyTable[]> {
  const faulty: FaultyTable[] = [];
  for (const table of tables) {
    const fault = yield* gridFault(table.rows);
    if (fault) faulty.push({ ...fault, table });
  }
  return faulty;
}

/** A table in the file may lack rows, so its message can differ. */
function tablesOf({ rule, what }: Violation, faulty: readonly FaultyTable[]): readonly CausingElement[] {
  const same = faulty.filter((fault) => fault.rule === rule);
  const exact = same.filter((fault) => fault.what === what);
  return (exact.length > 0 ? exact : same.slice(0, 1)).map(({ table }) => table);
}

/** PDF/UA rules that unmarked content breaks. In the file, such content looks like decoration. */
const LOST: Readonly<Partial<Record<AccessibilityFault, readonly [rule: CheckedRule, what: string]>>> = {
  describedDrawing: [
    '7.3-1',
    'screen readers would skip a drawing with a description, unlike an img with alt',
  ],
  filtered: [
    '7.1-1',
    'screen readers would skip text or an image with a CSS filter, a reflection or a perspective',
  ],
  frame: ['7.1-1', 'screen readers would skip the content of a frame: set title, or aria-hidden="true"'],
};

/** Returns a violation for each element whose content screen readers would skip. */
export function lostContent({ problems }: AccessibleContent, level: ConformanceLevel): Violation[] {
  return problems.flatMap((element) => {
    const [rule, what] = LOST[element.fault] ?? [];
    return rule === undefined || what === undefined ? [] : [{ level, rule, what, element }];
  });
}
