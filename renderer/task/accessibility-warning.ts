import type { InaccessibleElement } from '../browser/page/accessible-content.ts';
import type { FoundWarning } from '../browser/page/document-requests.ts';

const FAULTS: Readonly<Record<InaccessibleElement['code'], string>> = {
  alt_missing:
    'has no alternative text, so a screen reader cannot describe it. Set alt, or alt="" for decoration.',
  heading_skipped: 'is more than one level below the heading before it. Use the next level, and h1 first.',
  table_header_missing: 'has no header cells, so a screen reader cannot say what its cells mean. Use th.',
};

/** Returns the warning about an element that makes a tagged document less accessible. */
export function accessibilityWarning({ code, name, literals }: InaccessibleElement): FoundWarning {
  return { code, message: `${name} ${FAULTS[code]}`, name, literal: literals };
}
