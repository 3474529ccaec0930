/** Levels of PDF/A to which a rule applies: a part of ISO 19005, or the conformance letters. */
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

export const browser = (why: string, scope?: Scope): Rule<'browser'> => ({ by: 'browser', why, scope });
export const writer = (why: string, scope?: Scope): Rule<'writer'> => ({ by: 'writer', why, scope });
export const check = (why: string, scope?: Scope): Rule<'check'> => ({ by: 'check', why, scope });
