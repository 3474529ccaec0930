import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** The time grows with the number of lines times the number of changed lines: this many take a third of a second. */
const MAX_CHANGED_LINES = 2000;

/** Returns a unified diff, or an empty string for equal files. An absent file is undefined. */
export function unifiedDiff(names: readonly [string, string], before?: string, after?: string): string {
  if (before === after) return '';
  const old = before === undefined ? '/dev/null' : names[0];
  const changed = after === undefined ? '/dev/null' : names[1];
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY, maxEditLength: MAX_CHANGED_LINES };
  const patch = createTwoFilesPatch(old, changed, before ?? '', after ?? '', undefined, undefined, options);
  return patch ?? `Files ${old} and ${changed} differ in more than ${MAX_CHANGED_LINES} lines\n`;
}
