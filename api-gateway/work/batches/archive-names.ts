import type { DocumentFormat } from '@trifold/crds';
import { numberedFilename, safeFilename } from '../documents/filename.ts';

/** Characters that Windows does not allow in a file name. */
const RESERVED = /[<>:"|?*]/g;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³]) *\./i;

/**
 * Returns a different name for each file of an archive, also for systems that ignore case. A name that is taken gets a
 * number; characters that Windows does not allow become `_`, and a reserved name gets one in front. `names` are safe and
 * have the extension of `format`.
 */
export function archiveNames(names: readonly string[], format: DocumentFormat): string[] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name) => {
    const wanted = allowedName(name, format);
    const base = folded(wanted);
    let free = wanted;
    let number = numbers.get(base) ?? 1;
    while (taken.has(folded(free))) free = numberedFilename(wanted, ++number, format);
    numbers.set(base, number);
    taken.add(folded(free));
    return free;
  });
}

function allowedName(name: string, format: DocumentFormat): string {
  const allowed = name.replace(RESERVED, '_');
  return (DEVICE.test(allowed) && safeFilename(`_${allowed}`, format)) || allowed;
}

/** Windows and macOS ignore case; macOS ignores the form of accents, too. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
