import type { DocumentFormat } from '@trifold/crds';
import { numberedFilename } from '../documents/filename.ts';

/** Characters that Windows does not allow in a file name. */
const RESERVED = /[<>:"|?*]/g;

/**
 * Returns a different name for each file of an archive, also for systems that ignore case. A name that is taken gets a
 * number; characters that Windows does not allow become `_`. `names` are safe and have the extension of `format`.
 */
export function archiveNames(names: readonly string[], format: DocumentFormat): string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const wanted = name.replace(RESERVED, '_');
    const base = folded(wanted);
    let free = wanted;
    let number = numbers.get(base) ?? 1;
    while (taken.has(folded(free))) free = numberedFilename(wanted, ++number, format);
    numbers.set(base, number);
    taken.add(folded(free));
    return free;
  });
}

/** Windows and macOS ignore case; macOS ignores the form of accents, too. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
