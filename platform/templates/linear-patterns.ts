import { RE2JS } from 're2js';

/**
 * What the patterns of a schema may cost for one document: size of the compiled pattern times characters of text. So
 * many steps take about a second at worst, in which nothing else of the process gets on.
 */
const MOST_STEPS = 40_000_000;

/** How large the patterns of a schema may be together, in steps of their programs: so many compile in about 0.2 s. */
const MOST_PROGRAM = 100_000;
/** Characters of one pattern. */
const LONGEST_PATTERN = 1000;

/** RE2 instead of the engine's own regular expressions: linear time, whatever pattern a template brings. */
export class LinearPatterns {
  readonly #compiled = new Map<string, RE2JS>();
  #program = 0;
  #steps = 0;

  /** Compiles patterns for ajv (its option `code.regExp`). Throws an Error for what is not RE2 syntax. */
  readonly engine = Object.assign((pattern: string) => this.#compile(pattern), { code: 'linearPatterns' });

  /** What is wrong with a pattern, for its path to go before it. Undefined when it can be used. */
  problemOf(pattern: string): string | undefined {
    if (pattern.length > LONGEST_PATTERN) return `has more than ${LONGEST_PATTERN} characters`;
    if (this.#program > MOST_PROGRAM) return undefined;
    try {
      this.#programOf(pattern);
    } catch (error) {
      return `does not compile (RE2 syntax): ${(error as Error).message}`;
    }
    return this.#program > MOST_PROGRAM
      ? 'is too large together with the patterns before it: repeat less'
      : undefined;
  }

  /** Begins the count for another document. */
  begin(): void {
    this.#steps = 0;
  }

  /** Whether texts were left unmatched because matching them all would have taken too long. */
  get exhausted(): boolean {
    return this.#steps > MOST_STEPS;
  }

  #compile(pattern: string) {
    const compiled = this.#programOf(pattern);
    const size = compiled.programSize();
    return {
      test: (text: string): boolean => {
        this.#steps += size * (text.length + 1);
        return !this.exhausted && compiled.matcher(text).find();
      },
      // ajv takes two patterns of one schema for the same when they are the same as text.
      toString: () => pattern,
    };
  }

  #programOf(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern);
    if (known) return known;
    const compiled = RE2JS.compile(pattern);
    this.#program += compiled.programSize();
    this.#compiled.set(pattern, compiled);
    return compiled;
  }
}
