import { htmlTokens, VOID } from './html-tokens.ts';

/** Elements whose end tag may be left out: another of the kind ends them. */
const CLOSED_BY_THE_NEXT: ReadonlySet<string> = new Set(['dd', 'dt', 'li', 'option', 'p', 'td', 'th', 'tr']);

/** How many elements stand inside each other at most; near enough for html that leaves end tags out. */
export function nestingOf(html: string): number {
  const open: string[] = [];
  let deepest = 0;
  for (const { kind, name } of htmlTokens(html)) {
    if (kind === 'text' || VOID.has(name)) continue;
    if (kind === 'close') {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
    } else if (!(CLOSED_BY_THE_NEXT.has(name) && open.at(-1) === name)) {
      deepest = Math.max(deepest, open.push(name));
    }
  }
  return deepest;
}
