/** Comments for which Handlebars' own lexer needs 18 s and 4 GB. */
export const MANY_COMMENTS = `{{!-- a --}}${'y'.repeat(40)}`.repeat(19_000);
/** The same in a quarter of the size: 9 s. */
export const FEWER_COMMENTS = MANY_COMMENTS.slice(0, 228_000 - (228_000 % 52));
/** A few distant comments: 400 MB. */
export const FAR_COMMENTS = `{{!-- a --}}${'y'.repeat(900)}`.repeat(1_000);
/** Slowest template to parse within the limits: about a second. */
export const DEEP_BLOCKS = ('{{#if a}}'.repeat(99) + '{{/if}}'.repeat(99)).repeat(100);
