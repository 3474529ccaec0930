import { RE2JS } from 're2js';

/**
 * What the patterns of a schema may cost for one document: size of the compiled pattern times characters of text. So
 * many steps take about a second at worst, in which nothing else of the process gets on.
 */
const MOST_STEPS = 40_000_000;

/** RE2 instead of the engine's own regular expressions: linear time, whatever pattern a template brings. */
export class LinearPatterns {
  #steps = 0;

  /** Compiles patterns for ajv (its option `code.regExp`). Throws an Error for what is not RE2 syntax. */
  readonly engine = Object.assign((pattern: string) => this.#compile(pattern), { code: 'linearPatterns' });

  /** Begins the count for another document. */
  begin(): void {
    this.#steps = 0;
  }

  /** Whether texts were left unmatched because matching them all would have taken too long. */
  get exhausted(): boolean {
    return this.#steps > MOST_STEPS;
  }

  #compile(pattern: string) {
    const compiled = RE2JS.compile(pattern);
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
}
