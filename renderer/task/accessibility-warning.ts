import type { WarningCode } from '@trifold/crds';
import type { AccessibilityFault, InaccessibleElement } from '../browser/page/accessible-content.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';

const WARNINGS: Readonly<Partial<Record<AccessibilityFault, readonly [code: WarningCode, what: string]>>> = {
  image: [
    'alt_missing',
    'has no alternative text, so a screen reader cannot describe it. Set alt, or alt="" for decoration.',
  ],
  drawing: [
    'alt_missing',
    'is a drawing without a description, so screen readers skip it. Set aria-label, or aria-hidden="true" for decoration.',
  ],
  lostDrawing: ['alt_missing', 'is a drawing whose description screen readers skip. Use an img with alt.'],
  filtered: [
    'alt_missing',
    'has a CSS filter, so it prints as an image without a description. Remove the filter.',
  ],
  heading: [
    'heading_skipped',
    'is more than one level below the heading before it. Use the next level, and h1 first.',
  ],
  table: [
    'table_header_missing',
    'has no header cells, so a screen reader cannot say what its cells mean. Use th.',
  ],
};

/** Returns warnings about elements that make a tagged document less accessible. */
export function accessibilityWarnings(problems: readonly InaccessibleElement[]): FoundWarning[] {
  return problems.flatMap(({ fault, name, literals }) => {
    const [code, what] = WARNINGS[fault] ?? [];
    return code === undefined ? [] : [{ code, message: `${name} ${what}`, name, literal: literals }];
  });
}
