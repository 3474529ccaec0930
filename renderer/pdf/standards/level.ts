import type { ConformanceLevel } from '@trifold/crds';

interface Identification {
  /** Part of ISO 19005. */
  readonly part: 2 | 3;
  readonly conformance: 'A' | 'B' | 'U';
}

/** Returns what a file of this level states about itself (ISO 19005-2, 6.6.4). */
export function identificationOf(level: ConformanceLevel): Identification {
  const [, part, letter = ''] = level.split(/-?(\d)/);
  return {
    part: Number(part) as Identification['part'],
    conformance: letter.toUpperCase() as Identification['conformance'],
  };
}

/** Name of a level for readers: `PDF/A-2b`. */
export function levelName(level: ConformanceLevel): string {
  return `PDF/${level.replace('a', 'A')}`;
}

/** Whether files of this level describe their structure. */
export function isTagged(level: ConformanceLevel | undefined): boolean {
  return level !== undefined && identificationOf(level).conformance === 'A';
}
