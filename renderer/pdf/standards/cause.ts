import type {
  AccessibilityFault,
  AccessibleContent,
  InaccessibleElement,
} from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { CheckedRule } from './rule-at-level.ts';
import { checkGrid } from './table-check.ts';

/** A document element that breaks a rule. */
export type CausingElement = Pick<InaccessibleElement, 'name' | 'literals'>;

/** For each rule, the fault of an element that breaks it. */
const FAULTS: Readonly<Partial<Record<CheckedRule, AccessibilityFault>>> = {
  '7.3-1': 'image',
  '7.4.2-1': 'heading',
  '7.18.5-1': 'hiddenLink',
};

/** Returns the document's first element that breaks a rule, if its start tag shows that. */
export function* causeOf(
  rule: CheckedRule,
  { problems, tables }: AccessibleContent,
): SlicedWork<CausingElement | undefined> {
  const known = FAULTS[rule];
  if (known !== undefined) return problems.find(({ fault }) => fault === known);
  for (const table of tables) {
    const found = new Set<CheckedRule>();
    yield* checkGrid(table.rows, (broken) => void found.add(broken));
    if (found.has(rule)) return table;
  }
  return undefined;
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

/** Returns the first element whose content screen readers would skip, with the rule that it breaks. */
export function lostContent({
  problems,
}: AccessibleContent): { rule: CheckedRule; what: string; element: CausingElement } | undefined {
  for (const element of problems) {
    const [rule, what] = LOST[element.fault] ?? [];
    if (rule !== undefined && what !== undefined) return { rule, what, element };
  }
  return undefined;
}
