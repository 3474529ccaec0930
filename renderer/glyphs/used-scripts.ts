import { MAX_WARNINGS } from '@trifold/crds/limits.ts';
import { EMOJI, SCRIPT_SAMPLES } from './unicode-scripts.ts';

/**
 * Characters that may belong to a script other than Latin. Most documents have none, and a pattern without Unicode
 * properties is 20 times as fast.
 */
const NOT_LATIN = /[^\0-\u02e9\u2000-\u20cf]/;
const FIRST_NOT_LATIN = 0x2ea;
const CODE_POINTS = 0x110000;

/** HTML numeric character references: hexadecimal and decimal. */
const REFERENCE = /&#(?:x([\da-f]{1,6})|(\d{1,7}))/gi;

/** Characters that do not cause a warning, unless they are emoji. */
const ANY_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}\p{Script=Latin}]/u;
const IS_EMOJI = /\p{Emoji_Presentation}/u;

let patterns: ReadonlyMap<string, RegExp> | undefined;

/**
 * Returns the scripts that merged HTML uses, at most MAX_WARNINGS. Includes numeric character references and invisible
 * text. Emoji count as a script; Latin does not, because every document contains it. Takes linear time.
 */
export function usedScripts(...texts: readonly string[]): string[] {
  const characters = new Set<number>();
  for (const text of texts) {
    if (text.includes('&#')) addReferences(text, characters);
    if (NOT_LATIN.test(text)) addCharacters(text, characters);
  }
  return characters.size === 0 ? [] : scriptsOf(characters);
}

/** Returns the first character of each of the given scripts that a string contains. Takes linear time. */
export function charactersIn(text: string, scripts: readonly string[]): string[] {
  const patterns = scripts.map((script) => allPatterns().get(script));
  return patterns.flatMap((pattern) => pattern?.exec(text)?.[0] ?? []);
}

function addReferences(text: string, characters: Set<number>): void {
  for (const [, hexadecimal, decimal] of text.matchAll(REFERENCE)) {
    const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    if (code >= FIRST_NOT_LATIN && code < CODE_POINTS) characters.add(code);
  }
}

function addCharacters(text: string, characters: Set<number>): void {
  // Faster than the set for frequent characters.
  const seen = new Uint8Array(CODE_POINTS);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < FIRST_NOT_LATIN) continue;
    const code = text.codePointAt(index) ?? unit;
    if (seen[code] === 1) continue;
    seen[code] = 1;
    characters.add(code);
  }
}

function scriptsOf(characters: ReadonlySet<number>): string[] {
  const found = new Map<string, RegExp>();
  for (const code of characters) {
    const character = String.fromCodePoint(code);
    if (ANY_SCRIPT.test(character) && !IS_EMOJI.test(character)) continue;
    const [name, pattern] = entryOf(found, character) ?? entryOf(allPatterns(), character) ?? [];
    if (name !== undefined && pattern !== undefined) found.set(name, pattern);
    if (found.size === MAX_WARNINGS) break;
  }
  return [...found.keys()];
}

function entryOf(candidates: ReadonlyMap<string, RegExp>, character: string): [string, RegExp] | undefined {
  for (const entry of candidates) if (entry[1].test(character)) return entry;
  return undefined;
}

/** Omits scripts that are newer than the Unicode version of this Node.js. */
function allPatterns(): ReadonlyMap<string, RegExp> {
  patterns ??= new Map([
    ...Object.keys(SCRIPT_SAMPLES).flatMap((name) => scriptPattern(name)),
    [EMOJI.name, IS_EMOJI],
  ]);
  return patterns;
}

function scriptPattern(name: string): [string, RegExp][] {
  try {
    return [[name, new RegExp(String.raw`\p{Script=${name}}`, 'u')]];
  } catch {
    return [];
  }
}
