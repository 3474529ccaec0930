import type { Options } from 'minisearch';

/** A page section in the index. */
export interface SearchEntry {
  readonly id: number;
  /** Relative to the start page. */
  readonly url: string;
  readonly title: string;
  readonly heading: string;
  readonly shelf: string;
  readonly text: string;
  /** The beginning of the text. */
  readonly excerpt: string;
}

/** Question words that say nothing about the topic. */
const STOP_WORDS = new Set(
  'a an and are as at be by can do does for from get has have how i if in is it its me mean my of on or put so that the their then there this to use was we what when where which who why will with you your'.split(
    ' ',
  ),
);

function termOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower) || /^\D$/.test(lower)) return undefined;
  return lower.replace(/(?<=\w{2})ies$/, 'y').replace(/(?<=\w{3})s$/, '');
}

/** Options with which the build writes the index and the browser reads it. */
export const SEARCH_OPTIONS: Options<SearchEntry> = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['url', 'title', 'heading', 'shelf', 'excerpt'],
  processTerm: termOf,
  searchOptions: {
    prefix: (term) => term.length > 2,
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    boost: { heading: 2, title: 1.2 },
    // A status code is more specific than the words around it.
    boostTerm: (term) => (/^\d+$/.test(term) ? 4 : 1),
    // The other sections are for users.
    boostDocument: (_id, _term, stored) => (stored?.['shelf'] === 'Contribute' ? 0.4 : 1),
  },
};
