import leven from 'leven';
import type { Logger } from '../process/logging.ts';
import type { Setting } from './setting.ts';
import { SETTINGS, type SettingName, type SettingValue } from './settings.ts';
import { SetupError } from '../errors/trifold-error.ts';

/** All invalid settings in the environment. */
export class ConfigError extends SetupError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration is invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings with the given names. Pure; the result is frozen. Throws ConfigError with all problems.
 */
export function readSettings<const Names extends Readonly<Record<string, SettingName>>>(
  environment: Environment,
  names: Names,
): { readonly [Key in keyof Names]: SettingValue<Names[Key]> } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, name] of Object.entries(names)) {
    try {
      values[key] = readSetting(SETTINGS[name], environment[name]);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(values) as { readonly [Key in keyof Names]: SettingValue<Names[Key]> };
}

function readSetting({ type, default: value, fallback, required }: Setting, text = ''): unknown {
  if (text !== '') return type.parse(text);
  if (required !== undefined) throw new RangeError(`must be set: ${required}`);
  return value === undefined ? fallback : type.parse(value);
}

/** A variable that begins with TRIFOLD_ but is not a setting: probably a typo. */
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
    logger.warn({ variable, nearest }, 'unknown setting, ignored');
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
