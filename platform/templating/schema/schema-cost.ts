import type { TemplateSchema } from '@trifold/crds';
import { allFields } from './data-schema.ts';

/** A field takes about half a millisecond to compile. */
const MOST_FIELDS = 24;
/** Characters of the schema as JSON; large defaults are compiled too. */
const LONGEST_SCHEMA = 16 * 1024;
/** Instructions of all patterns: compiling 2,000 takes about 10 ms, a class such as `\p{L}` as long as 50. */
const MOST_INSTRUCTIONS = 2_000;
const INSTRUCTIONS_OF_CLASS = 50;

/** Flags: with `(?i)` a short class of characters takes milliseconds. */
const FLAGS = /\(\?[^:P<]/;
const UNICODE_CLASS = /\\p/gi;
/** A repetition, with what makes it one of a group. */
const REPETITION = /(\)?)\{(\d{1,4})(?:,(\d{0,4}))?\}/g;

/**
 * Whether a schema certainly compiles within about 30 ms. `text` is the schema as JSON. A schema that cannot be used may
 * be cheap too.
 */
export function isCheapToCompile(schema: TemplateSchema, text: string): boolean {
  if (text.length > LONGEST_SCHEMA) return false;
  const fields = allFields(schema.fields);
  const instructions = fields.reduce<number>((sum, field) => sum + mostInstructions(patternOf(field)), 0);
  return fields.length <= MOST_FIELDS && instructions <= MOST_INSTRUCTIONS;
}

/** An upper bound of the instructions that a pattern compiles to, from its text alone. */
export function mostInstructions(pattern: string): number {
  if (pattern.length > MOST_INSTRUCTIONS || FLAGS.test(pattern)) return Infinity;
  let atoms = pattern.length;
  let factor = 1;
  for (const [, before = '', least, most] of pattern.matchAll(REPETITION)) {
    const times = Math.max(1, Number(least), Number(most ?? 0));
    if (before === '') atoms += times;
    else factor *= times;
  }
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  return 2 * atoms * factor + classes * INSTRUCTIONS_OF_CLASS;
}

function patternOf(field: unknown): string {
  const { pattern } = (field ?? {}) as { pattern?: unknown };
  return typeof pattern === 'string' ? pattern : '';
}
