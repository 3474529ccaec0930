/** Comments for which Handlebars' own lexer needs 18 s and 4 GB. */
export const MANY_COMMENTS = `{{!-- a --}}${'y'.repeat(40)}`.repeat(19_000);
/** The slowest template to parse within the limits: about a second. */
export const DEEP_BLOCKS = ('{{#if a}}'.repeat(99) + '{{/if}}'.repeat(99)).repeat(100);
