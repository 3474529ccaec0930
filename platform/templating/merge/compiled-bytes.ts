/** Bytes per character of an expression and its braces: `{{a}}` takes 340 per character, nested calls up to 370. */
const BYTES_OF_EXPRESSION = 512;
/** Bytes per other character: the source and what is compiled from it each hold a copy. */
const BYTES_OF_TEXT = 8;
const OVERHEAD_BYTES = 4 * 1024;

/**
 * Returns an upper bound for the memory of compiled templates, in bytes: a syntax tree takes hundreds of times as much
 * as its source.
 */
export function compiledBytes(...sources: readonly string[]): number {
  return sources.reduce((sum, source) => sum + bytesOf(source), OVERHEAD_BYTES);
}

function bytesOf(source: string): number {
  let inExpressions = 0;
  for (let from = source.indexOf('{{'); from !== -1;) {
    const end = source.indexOf('}}', from);
    const to = end === -1 ? source.length : end + 2;
    inExpressions += to - from;
    from = source.indexOf('{{', to);
  }
  return inExpressions * BYTES_OF_EXPRESSION + (source.length - inExpressions) * BYTES_OF_TEXT;
}
