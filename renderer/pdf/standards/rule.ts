/** PDF/A levels to which a rule applies: a part of ISO 19005, or the conformance letters. */
export type Scope = '2' | '3' | 'A' | 'UA';

/** Why a file that we return conforms to a rule. */
export interface Rule<By extends string = 'browser' | 'writer' | 'check'> {
  /**
   * `browser`: Chromium never breaks it. `writer`: this service writes what it requires. `check`: the finished file is
   * checked.
   */
  readonly by: By;
  /** The reason, or the subject of the check. */
  readonly why: string;
  /** @default all levels */
  readonly scope?: Scope | undefined;
}

/** The rules' test numbers, by clause. */
type Tests = Readonly<Record<string, readonly number[]>>;
type NameIn<Of extends Tests> = {
  [Clause in keyof Of & string]: `${Clause}-${Of[Clause][number]}`;
}[keyof Of & string];
/** Values by rule name: `6.1.13-1` for the first test of 6.1.13. */
type Named<Of extends Tests, Value> = { readonly [Name in NameIn<Of>]: Value };

export function browser<const Of extends Tests>(why: string, tests: Of): Named<Of, Rule<'browser'>> {
  return named(tests, { by: 'browser', why });
}

export function writer<const Of extends Tests>(
  why: string,
  tests: Of,
  scope?: Scope,
): Named<Of, Rule<'writer'>> {
  return named(tests, { by: 'writer', why, scope });
}

export function check<const Of extends Tests>(
  why: string,
  tests: Of,
  scope?: Scope,
): Named<Of, Rule<'check'>> {
  return named(tests, { by: 'check', why, scope });
}

/** Returns the same value for each rule. */
export function named<const Of extends Tests, Value>(tests: Of, value: Value): Named<Of, Value> {
  const names = Object.entries(tests).flatMap(([clause, numbers]) =>
    numbers.map((number) => `${clause}-${number}`),
  );
  return Object.fromEntries(names.map((name) => [name, value])) as Named<Of, Value>;
}
