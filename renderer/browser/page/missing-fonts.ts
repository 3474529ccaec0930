import { MAX_FOUND_WARNINGS } from '@trifold/crds';
import type { CDPSession } from 'puppeteer-core';
import type { FoundWarning } from './document-requests.ts';
import { measured } from './measured.ts';

/** A list of font families in which only a generic one is available to the document. */
export interface MissingFonts {
  /** As in CSS: `"Acme Sans", sans-serif`. */
  readonly list: string;
  /** Name of its first family. */
  readonly family: string;
}

/** Limits of the search: number of strings and milliseconds. */
const MAX_TEXTS = 20_000;
const MAX_MS = 500;

/** Families that always exist, or that denote the system font. Families after them are never used. */
const GENERIC =
  'serif sans-serif monospace cursive fantasy math emoji fangsong system-ui ui-serif ui-sans-serif ui-monospace ui-rounded ' +
  '-apple-system blinkmacsystemfont';

/**
 * Treats a family as installed if letters have a different width in the family than in the fallback font, for one of
 * two fallback fonts. This includes aliases of installed families. Families that the document declares are treated as
 * installed, whether or not they load: other warnings cover them.
 */
const FIND = `(() => {
  const end = performance.now() + ${MAX_MS};
  const generic = new Set('${GENERIC}'.split(' '));
  const unquoted = (family) => family.trim().replace(/^"(.*)"$/s, '$1').replace(/\\\\(.)/gs, '$1');
  const declared = new Set([...fonts].map(({ family }) => unquoted(family).toLowerCase()));
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  const width = (font) => {
    context.font = '72px ' + font;
    return context.measureText('mmmwwiiil10ABQ@').width;
  };
  const widths = ['monospace', 'serif'].map((font) => [font, width(font)]);
  const known = new Map();
  const isInstalled = (family) => {
    if (performance.now() > end) return true;
    if (!known.has(family)) known.set(family, widths.some(([font, plain]) => width(family + ', ' + font) !== plain));
    return known.get(family);
  };
  const lists = new Set();
  const walker = createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let rest = ${MAX_TEXTS}; rest > 0 && walker.nextNode() && performance.now() < end; rest -= 1) {
    const parent = parentElement(walker.currentNode);
    if (parent && walker.currentNode.data.trim() !== '' && checkVisibility(parent)) lists.add(getComputedStyle(parent).fontFamily);
  }
  const missing = [];
  for (const list of lists) {
    const families = list.match(/"(?:[^"\\\\]|\\\\.)*"|[^",]+/gs) ?? [];
    const names = families.map((family) => unquoted(family).toLowerCase());
    const first = names.findIndex((name) => generic.has(name));
    const own = families.slice(0, first < 0 ? undefined : first).filter((family) => unquoted(family).trim() !== '');
    if (own.length === 0 || own.some((family) => declared.has(unquoted(family).toLowerCase()) || isInstalled(family))) continue;
    missing.push({ list, family: unquoted(own[0]) });
    if (missing.length === ${MAX_FOUND_WARNINGS}) break;
  }
  return missing;
})()`;

/** Returns the font family lists of visible text that contain no installed family. */
export async function missingFonts(session: CDPSession, frameId: string): Promise<readonly MissingFonts[]> {
  return (await measured<MissingFonts[]>(session, frameId, FIND)) ?? [];
}

/** A warning without a location is about a list that the author did not write: browsers and helpers also set lists. */
export function fontWarnings(missing: readonly MissingFonts[]): FoundWarning[] {
  return missing.map(({ list, family }) => ({
    code: 'font_missing',
    message: `No font in the list ${list} is installed or declared, so the text uses a default font.`,
    name: list,
    literal: family,
    after: 'font',
  }));
}
