/** Comments that Handlebars' own lexer takes 18 s and 4 GB for. */
export const MANY_COMMENTS = `{{!-- a --}}${'y'.repeat(40)}`.repeat(19_000);
/** The same in a quarter of the size: 9 s. */
export const FEWER_COMMENTS = MANY_COMMENTS.slice(0, 228_000 - (228_000 % 52));
/** Few comments far apart: 400 MB. */
export const FAR_COMMENTS = `{{!-- a --}}${'y'.repeat(900)}`.repeat(1_000);
/** As slow to parse as the bounds of a template allow: about a second. */
export const DEEP_BLOCKS = ('{{#if a}}'.repeat(99) + '{{/if}}'.repeat(99)).repeat(100);
/** As large in memory as the bounds of a template allow: about 100 MB. */
export const MANY_EXPRESSIONS = '{{a}}\n'.repeat(20_000);
