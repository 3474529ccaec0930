import { MAX_PATTERN_LENGTH } from '@trifold/crds/limits.ts';
import { RE2JS } from 're2js';

/**
 * Maximum number of steps that a schema's patterns may take for one request: compiled pattern size times characters of
 * text. They take about a second in a check process.
 */
const MAX_STEPS = 40_000_000;

/** Maximum total size of a schema's patterns, in program instructions: they compile in about 0.2 s. */
const MAX_PROGRAM = 100_000;

/** Memory of a compiled pattern, in bytes: a base amount, and an amount per instruction. */
const PATTERN_BYTES = 8 * 1024;
const BYTES_PER_INSTRUCTION = 192;

/** Budget of pattern steps for one request, across all its data. */
export class StepBudget {
  readonly #most: number;
  #taken = 0;
  #exhausted = false;

  /** @default 40 million steps, about a second */
  constructor(most = MAX_STEPS) {
    this.#most = most;
  }

  /** Whether strings were skipped because matching all of them would have exceeded the budget. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** Steps taken so far; never more than the budget. */
  get taken(): number {
    return this.#taken;
  }

  /** Takes steps. Returns false if fewer are left, and on every later call. */
  take(steps: number): boolean {
    this.#exhausted ||= this.#taken + steps > this.#most;
    if (!this.#exhausted) this.#taken += steps;
    return !this.#exhausted;
  }
}

/** RE2 instead of the engine's regular expressions: linear time for any pattern. */
export class LinearPatterns {
  readonly #compiled = new Map<string, RE2JS>();
  #program = 0;
  #budget = new StepBudget();

  /** Compiles patterns for ajv (its `code.regExp` option). Throws an Error if the pattern is not RE2 syntax. */
  readonly engine = Object.assign((pattern: string) => this.#compile(pattern), { code: 'linearPatterns' });

  /** Returns the problem with a pattern, as a message to append to its path; undefined if the pattern is valid. */
  problemOf(pattern: string): string | undefined {
    if (pattern.length > MAX_PATTERN_LENGTH) return `has more than ${MAX_PATTERN_LENGTH} characters`;
    if (this.#program > MAX_PROGRAM) return undefined;
    try {
      this.#programOf(pattern);
    } catch (error) {
      return `does not compile (RE2 syntax): ${(error as Error).message}`;
    }
    return this.#program > MAX_PROGRAM
      ? 'is too large when added to the patterns before it: use fewer repetitions'
      : undefined;
  }

  /** Upper bound for the memory of the compiled patterns. */
  get memoryBytes(): number {
    return this.#compiled.size * PATTERN_BYTES + this.#program * BYTES_PER_INSTRUCTION;
  }

  /** Charges the following steps to `budget`. */
  charge(budget: StepBudget): void {
    this.#budget = budget;
  }

  #compile(pattern: string) {
    const compiled = this.#programOf(pattern);
    const size = compiled.programSize();
    return {
      test: (text: string): boolean =>
        this.#budget.take(size * (text.length + 1)) && compiled.matcher(text).find(),
      // ajv compares a schema's patterns as strings.
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
