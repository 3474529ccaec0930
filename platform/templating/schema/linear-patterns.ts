import { RE2JS } from 're2js';

/**
 * Steps that the patterns of a schema may take for one request: size of the compiled pattern times characters of text.
 * In a check process they take about a second.
 */
const MOST_STEPS = 40_000_000;

/** How large the patterns of a schema may be together, in steps of their programs: so many compile in about 0.2 s. */
const MOST_PROGRAM = 100_000;
/** Characters of one pattern. */
const LONGEST_PATTERN = 1000;

/** Steps that patterns may take for one request, over all of its data. */
export class StepBudget {
  readonly #most: number;
  #taken = 0;
  #exhausted = false;

  /** @default 40 million steps, about a second */
  constructor(most = MOST_STEPS) {
    this.#most = most;
  }

  /** Whether texts were left unmatched because matching them all would have taken too many steps. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Steps taken so far; never more than the budget. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes steps. False, from then on, when there are not that many left. */
  take(steps: number): boolean {
    this.#exhausted ||= this.#taken + steps > this.#most;
    if (!this.#exhausted) this.#taken += steps;
    return !this.#exhausted;
  }
}

/** RE2 instead of the engine's own regular expressions: linear time, whatever pattern a template brings. */
export class LinearPatterns {
  readonly #compiled = new Map<string, RE2JS>();
  #program = 0;
  #budget = new StepBudget();

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

  /** Takes the steps that follow from `budget`. */
  charge(budget: StepBudget): void {
    this.#budget = budget;
  }

  #compile(pattern: string) {
    const compiled = this.#programOf(pattern);
    const size = compiled.programSize();
    return {
      test: (text: string): boolean =>
        this.#budget.take(size * (text.length + 1)) && compiled.matcher(text).find(),
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
