import type { ConformanceLevel } from '@trifold/crds';

interface Identification {
  /** Part and level of ISO 19005; undefined for a file that is only PDF/UA. */
  readonly archive?: { readonly part: 2 | 3; readonly conformance: 'A' | 'B' | 'U' };
  /** Whether the file conforms to ISO 14289-1. */
  readonly accessible: boolean;
}

/** Returns what a file of this level states about itself (ISO 19005-2, 6.6.4; ISO 14289-1, 5). */
export function identificationOf(level: ConformanceLevel): Identification {
  const [, part, letter = ''] = /^a-(\d)(\w)/.exec(level) ?? [];
  const accessible = level.endsWith('ua-1');
  if (part === undefined) return { accessible };
  return {
    archive: { part: Number(part) as 2 | 3, conformance: letter.toUpperCase() as 'A' | 'B' | 'U' },
    accessible,
  };
}

/** Name of a level for readers: `PDF/A-2b`, `PDF/A-2a and PDF/UA-1`. */
export function levelName(level: ConformanceLevel): string {
  const names = level.split('+').map((part) => `PDF/${part.replace(/^u?a/, (name) => name.toUpperCase())}`);
  return names.join(' and ');
}

/** Whether files of this level conform to PDF/UA. */
export function isAccessible(level: ConformanceLevel | undefined): boolean {
  return level !== undefined && identificationOf(level).accessible;
}

/** Whether files of this level describe their structure. */
export function isTagged(level: ConformanceLevel | undefined): boolean {
  if (level === undefined) return false;
  const { archive, accessible } = identificationOf(level);
  return accessible || archive?.conformance === 'A';
}
