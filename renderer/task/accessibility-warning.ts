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
  filtered: [
    'alt_missing',
    'has a CSS filter, a reflection or a perspective, so it prints as an image without a description. Remove them.',
  ],
  frame: ['alt_missing', 'is a frame, whose content screen readers skip. Set title, or aria-hidden="true".'],
  generated: [
    'alt_missing',
    'has text from a style sheet, which screen readers skip. Write it in the HTML, or add / "" to content for decoration.',
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
