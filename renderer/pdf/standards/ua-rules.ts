import { browser, check, named, writer, type Rule } from './rule.ts';
import { RULES } from './rules.ts';

type ArchiveRule = keyof typeof RULES;

/** A PDF/UA rule equivalent to a PDF/A rule, which is checked. */
interface Twin<Of extends ArchiveRule = ArchiveRule> extends Rule<'twin'> {
  readonly of: Of;
}

function twins<const Of extends Readonly<Record<string, ArchiveRule>>>(
  rules: Of,
): { readonly [Name in keyof Of]: Twin<Of[Name]> } {
  const entries = Object.entries(rules).map(([name, of]) => [name, { by: 'twin', why: of, of }]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Of]: Twin<Of[Name]> };
}

/**
 * Every rule of ISO 14289-1 that veraPDF tests, by clause and test number. The deep test compares the names with
 * veraPDF's profile. Rules whose value is a PDF/A rule have the same reason.
 */
export const UA_RULES = {
  ...named({ '5': [1, 2, 3, 4, 5], '7.1': [8] }, RULES['6.6.2.1-1']),
  ...named({ '6.1': [1] }, RULES['6.1.2-1']),
  ...check('order of marks', { '7.1': [1] }),
  ...writer('ContentArtifacts puts everything without a mark, and nothing else, into artifacts', {
    '7.1': [2, 3],
  }),
  ...browser('the catalog has no suspects', { '7.1': [4] }),
  ...named({ '7.1': [6, 7] }, RULES['6.7.3.4-2']),
  ...check('title', { '7.1': [9] }),
  ...writer('the catalog shows the title', { '7.1': [10] }),
  ...browser('every structure element has a parent', { '7.1': [12] }),
  ...writer('the catalog has a language', { '7.2': [2, 21, 22, 23, 24, 25, 30, 31, 32, 33, 34] }),
  ...check('kinds of kids', { '7.2': [3, 10, 19, 20, 27, 36, 37, 38] }),
  ...check('kinds of parents', { '7.2': [4, 5, 6, 7, 8, 9, 17, 18, 26] }),
  ...check('order of kids', { '7.2': [11, 12, 13, 14, 16, 28, 39, 40] }),
  ...check('tables', { '7.2': [15, 41, 42, 43] }),
  ...check('descriptions', { '7.3': [1], '7.7': [1], '7.18.1': [2], '7.18.5': [2] }),
  ...check('headings', { '7.4.2': [1], '7.4.4': [1, 2, 3] }),
  ...check('table headers', { '7.5': [1, 2] }),
  ...check('notes', { '7.9': [1] }),
  ...browser('the ids of elements are unique', { '7.9': [2] }),
  ...named({ '7.10': [1, 2] }, RULES['6.9-1']),
  ...writer('attachFiles names each file in F and UF', { '7.11': [1] }),
  ...named({ '7.15': [1], '7.18.1': [3], '7.18.4': [1] }, RULES['6.4.1-1']),
  ...named({ '7.16': [1] }, RULES['6.1.3-2']),
  ...browser('the only annotations are links', { '7.18.2': [1], '7.18.6.2': [1, 2], '7.18.8': [1] }),
  ...browser('the tab order of every page with annotations follows the structure', { '7.18.3': [1] }),
  ...check('form controls', { '7.18.4': [2] }),
  ...check('links', { '7.18.5': [1] }),
  ...named({ '7.20': [1] }, RULES['6.2.9-1']),
  ...check('drawings with marks', { '7.20': [2] }),
  ...named({ '7.21.3.1': [1], '7.21.3.3': [1, 2, 3] }, RULES['6.2.11.3.1-1']),
  ...named({ '7.21.3.2': [1] }, RULES['6.2.11.2-1']),
  ...named({ '7.21.4.1': [2] }, RULES['6.2.11.4.1-2']),
  ...named({ '7.21.4.2': [1, 2] }, RULES['6.2.11.4.2-1']),
  ...named({ '7.21.5': [1] }, RULES['6.2.11.5-1']),
  ...named({ '7.21.6': [1, 2, 3, 4] }, RULES['6.2.11.6-1']),
  ...twins({
    '6.2-1': '6.7.2.2-1',
    '7.1-5': '6.7.3.4-1',
    '7.1-11': '6.7.3.3-1',
    '7.2-29': '6.7.4-1',
    '7.18.1-1': '6.3.1-1',
    '7.21.4.1-1': '6.2.11.4.1-1',
    '7.21.7-1': '6.2.11.7.2-1',
    '7.21.7-2': '6.2.11.7.2-2',
    '7.21.8-1': '6.2.11.8-1',
  }),
};
