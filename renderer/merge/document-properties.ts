import type { DocumentProperties } from '@trifold/crds';
import { MergeFailure, mergeFailureOf } from '@trifold/platform/templating/merge/merge-failure.ts';

/** Maximum length of a merged property, in characters. */
const MAX_PROPERTY_CHARACTERS = 2_000;

/**
 * Merges the document properties. White space becomes single spaces; empty values are omitted. For the first property
 * that fails or is too long, throws MergeFailure with its name.
 */
export function mergedProperties(
  { keywords, language, ...texts }: DocumentProperties,
  merge: (text: string) => string,
): DocumentProperties {
  const mergeText = (name: string, text: string): string => {
    try {
      return propertyText(merge(text));
    } catch (error) {
      const { code, message, place } = mergeFailureOf(error, 'it is too long');
      const named = `the document property ${name}: ${message}`;
      throw new MergeFailure(code, named, { place: { name: place?.name ?? name, part: 'properties' } });
    }
  };
  const merged = Object.entries(texts).map(([name, text]) => [name, mergeText(name, text)] as const);
  const words = (keywords ?? []).map((keyword) => mergeText('keywords', keyword)).filter(Boolean);
  return {
    ...Object.fromEntries(merged.filter(([, text]) => text !== '')),
    ...(words.length > 0 && { keywords: words }),
    ...(language !== undefined && { language }),
  };
}

function propertyText(text: string): string {
  if (text.length > MAX_PROPERTY_CHARACTERS) {
    const message = `it is longer than the limit of ${MAX_PROPERTY_CHARACTERS} characters`;
    throw new MergeFailure('merge_too_large', message);
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Sets the `lang` of an HTML document that has none. A second html tag adds only attributes that the first one does not
 * have (HTML, 13.2.6.4.7 and 13.2.6.4.22).
 */
export function withLanguage(html: string, language: string | undefined): string {
  return language === undefined ? html : `${html}<html lang="${language}">`;
}
