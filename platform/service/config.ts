import leven from 'leven';
import type { Logger } from './logging.ts';
import { SETTINGS, type SettingDescription, type SettingName } from './settings.ts';
import { SetupError } from './trifold-error.ts';

/** All invalid settings of the environment. */
export class ConfigError extends SetupError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the text of a setting. Throws a RangeError that says what was expected. */
export type SettingParser<T> = (text: string) => T;

/** Definition of a setting. */
export interface Setting<T> {
  readonly variable: SettingName;
  readonly parse: SettingParser<T>;
  /** Value when the variable is unset or empty. @default the default in SETTINGS, parsed */
  readonly fallback?: T | undefined;
}

/** Reads every setting of a service. Pure; the result is frozen. Throws ConfigError with all problems together. */
export function readSettings<T extends object>(
  environment: Environment,
  settings: { readonly [Name in keyof T]: Setting<T[Name]> },
): Readonly<T> {
  const problems: string[] = [];
  const values: Partial<T> = {};
  for (const name of Object.keys(settings) as (keyof T)[]) {
    const { variable } = settings[name];
    try {
      values[name] = readSetting(settings[name], environment[variable]);
    } catch (error) {
      problems.push(`${variable} ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values as T);
}

function readSetting<T>(setting: Setting<T>, text: string | undefined): T {
  if (text !== undefined && text !== '') return setting.parse(text);
  if ('fallback' in setting) return setting.fallback as T;
  const description: SettingDescription = SETTINGS[setting.variable];
  return setting.parse(description.default ?? '');
}

/** A variable that begins with TRIFOLD_ and is not a setting: most likely a typo. */
export interface UnknownSetting {
  readonly variable: string;
  /** The setting with the most similar name. */
  readonly nearest: SettingName;
}

/** Finds TRIFOLD_ variables that no service reads, except TRIFOLD_TEST_…, which tests use. */
export function unknownSettings(environment: Environment): UnknownSetting[] {
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.keys(environment)
    .filter((variable) => /^TRIFOLD_(?!TEST_(?!KEY))/.test(variable) && !(variable in SETTINGS))
    .map((variable) => {
      const nearest = names.toSorted((a, b) => leven(a, variable) - leven(b, variable))[0] as SettingName;
      return { variable, nearest };
    });
}

/** Logs a warning for each variable that no service reads. The values are not logged. */
export function warnOfUnknownSettings(environment: Environment, logger: Pick<Logger, 'warn'>): void {
  for (const { variable, nearest } of unknownSettings(environment)) {
    logger.warn({ variable, nearest }, 'unknown setting, it has no effect');
  }
}

/** Reads the settings of several services from one environment, so that all problems are reported together. */
export function readTogether<T extends readonly unknown[]>(readers: {
  [Index in keyof T]: () => T[Index];
}): T {
  const problems: string[] = [];
  const values = readers.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
    }
  });
  if (problems.length > 0) throw new ConfigError([...new Set(problems)]);
  return values as unknown as T;
}

/** An integer between two limits, inclusive. */
export function wholeNumber(least: number, most: number): SettingParser<number> {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new RangeError(`must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  };
}

/** One of the given words. */
export function oneOf<const Words extends readonly string[]>(...words: Words): SettingParser<Words[number]> {
  return (text) => {
    if (words.includes(text)) return text;
    throw new RangeError(`must be one of ${words.join(', ')}, not ${JSON.stringify(text)}`);
  };
}

/** `true` or `false`. */
export const flag: SettingParser<boolean> = (text) => oneOf('true', 'false')(text) === 'true';

const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A duration such as 500ms, 30s, 5m or 24h, in milliseconds. */
export const duration: SettingParser<number> = (text) => {
  const match = DURATION.exec(text);
  if (!match)
    throw new RangeError(`must be a duration such as 500ms, 30s, 5m or 24h, not ${JSON.stringify(text)}`);
  return Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS];
};

const SIZE = /^(\d{1,9})(Ki|Mi|Gi)?$/;
const BYTES = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 } as const;

/** A size such as 65536, 64Ki or 2Mi, in bytes. */
export const byteSize: SettingParser<number> = (text) => {
  const match = SIZE.exec(text);
  if (!match) throw new RangeError(`must be a size such as 65536, 64Ki or 2Mi, not ${JSON.stringify(text)}`);
  return Number(match[1]) * (match[2] === undefined ? 1 : BYTES[match[2] as keyof typeof BYTES]);
};

/** Limits the value of `parse`. The limits are written like the setting itself (`1s`, `64Mi`), inclusive. */
export function within(parse: SettingParser<number>, least: string, most: string): SettingParser<number> {
  const bounds = { least: parse(least), most: parse(most) };
  return (text) => {
    const value = parse(text);
    if (value >= bounds.least && value <= bounds.most) return value;
    throw new RangeError(`must be from ${least} to ${most}, not ${JSON.stringify(text)}`);
  };
}

/** Values that commas separate. */
export function listOf<T>(parse: SettingParser<T>): SettingParser<readonly T[]> {
  return (text) => text.split(',').map(parse);
}

/** Characters. */
const SHORTEST_SECRET = 32;

/** A secret of at least 32 characters. The message omits the value. */
export const secretText: SettingParser<string> = (text) => {
  if (text.length >= SHORTEST_SECRET) return text;
  throw new RangeError(`must have at least ${SHORTEST_SECRET} characters`);
};

/** Any text. */
export const plainText: SettingParser<string> = (text) => text;
