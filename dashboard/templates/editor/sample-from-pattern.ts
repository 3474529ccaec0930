/** A character or a class, with how often it repeats. */
const PIECE =
  /(?:\\(?<escaped>.)|\[(?<members>[^\]\\^]+)\]|(?<plain>[^\\[\](){}|*+?^$]))(?<repeat>\{\d+(?:,\d*)?\}|[+*?])?/gy;
const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ' };
const MOST_REPEATS = 100;

/**
 * Returns a text that matches a regular expression of characters, classes and repetitions, such as
 * `^[A-Z]{2}-\d{4}$`; undefined for one with groups or alternatives.
 */
export function sampleFromPattern(pattern: string): string | undefined {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '');
  const pieces = [...body.matchAll(PIECE)];
  if (pieces.map(([piece]) => piece).join('') !== body) return undefined;
  const sample = pieces
    .map(({ groups = {} }) => characterOf(groups).repeat(timesOf(groups['repeat'])))
    .join('');
  return new RegExp(pattern).test(sample) ? sample : undefined;
}

function characterOf({ escaped, members, plain }: Readonly<Record<string, string | undefined>>): string {
  if (escaped !== undefined) return CLASSES[escaped] ?? escaped;
  if (members !== undefined) return members.charAt(0);
  return plain === '.' ? 'x' : (plain ?? '');
}

/** The fewest repetitions, but one where none is allowed. */
function timesOf(repeat: string | undefined): number {
  const [, least = '1'] = /^\{(\d+)/.exec(repeat ?? '') ?? [];
  return Math.min(Math.max(Number(least), 1), MOST_REPEATS);
}
