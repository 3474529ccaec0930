/** Differences between the asynchronous and the synchronous client, as patterns with their replacements. */
const REPLACEMENTS: readonly (readonly [asynchronous: RegExp, synchronous: string])[] = [
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\bfrom asyncio import sleep\b/g, 'from time import sleep'],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\ba(close|read|iter_bytes)\b/g, '$1'],
  [/\bAsync(?=[A-Z])/g, ''],
];

/** Returns the synchronous version of a module in `_async/`. */
export function synchronous(module: string, source: string): string {
  const text = REPLACEMENTS.reduce((code, [from, to]) => code.replaceAll(from, to), source);
  return `# Generated from _async/${module}. Do not edit.\n${text}`;
}
