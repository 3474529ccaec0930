import type { TemplateSchema } from '@trifold/crds';
import { allFields } from './data-schema.ts';

/** Compiling a field takes about half a millisecond. */
const MAX_FIELDS = 24;
/** Maximum length of the schema as JSON, in characters; large defaults are compiled too. */
const MAX_SCHEMA_LENGTH = 16 * 1024;
/**
 * Maximum number of instructions in all patterns: 2,000 compile in about 10 ms. A class such as `\p{L}` takes as long as
 * 50 instructions.
 */
const MAX_INSTRUCTIONS = 2_000;
const INSTRUCTIONS_OF_CLASS = 50;

/** Matches flags: with `(?i)`, a short character class takes milliseconds. */
const FLAGS = /\(\?[^:P<]/;
const UNICODE_CLASS = /\\p/gi;
/** Matches a repetition. The first capture is `)` if it repeats a group. */
const REPETITION = /(\)?)\{(\d{1,4})(?:,(\d{0,4}))?\}/g;

/**
 * Whether a schema certainly compiles within about 30 ms. `text` is the schema as JSON. An invalid schema may be cheap
 * too.
 */
export function isCheapToCompile(schema: TemplateSchema, text: string): boolean {
  if (text.length > MAX_SCHEMA_LENGTH) return false;
  const fields = allFields(schema.fields);
  const instructions = fields.reduce<number>((sum, field) => sum + maxInstructions(patternOf(field)), 0);
  return fields.length <= MAX_FIELDS && instructions <= MAX_INSTRUCTIONS;
}

/** Returns an upper bound for the number of instructions of a compiled pattern, from its source alone. */
export function maxInstructions(pattern: string): number {
  if (pattern.length > MAX_INSTRUCTIONS || FLAGS.test(pattern)) return Infinity;
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
