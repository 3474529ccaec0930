import { describe, expect, it } from 'vitest';
import {
  byteSize,
  ConfigError,
  duration,
  flag,
  oneOf,
  readSettings,
  readTogether,
  wholeNumber,
  within,
} from './config.ts';

const settings = {
  port: { variable: 'TRIFOLD_PORT', parse: wholeNumber(0, 65_535), fallback: 8080 },
  wait: { variable: 'TRIFOLD_WAIT', parse: duration, fallback: 30_000 },
  quiet: { variable: 'TRIFOLD_QUIET', parse: flag, fallback: false },
};
const read = (environment: Record<string, string>) =>
  readSettings<{ port: number; wait: number; quiet: boolean }>(environment, settings);

describe('configuration', () => {
  it('takes the fallback for what is unset or empty', () => {
    expect(read({ TRIFOLD_PORT: '' })).toEqual({ port: 8080, wait: 30_000, quiet: false });
  });

  it('reads durations, sizes, flags and words with their units', () => {
    expect(read({ TRIFOLD_WAIT: '5m', TRIFOLD_QUIET: 'true' })).toMatchObject({ wait: 300_000, quiet: true });
    expect([byteSize('65536'), byteSize('64Ki'), byteSize('2Mi')]).toEqual([65_536, 65_536, 2_097_152]);
    expect(oneOf('key', 'account')('account')).toBe('account');
  });

  it('keeps a number within bounds, both included, and says which in the unit of the setting', () => {
    const parse = within(duration, '1s', '2m');
    expect([parse('1s'), parse('120s')]).toEqual([1000, 120_000]);
    for (const text of ['999ms', '121s']) {
      expect(() => parse(text)).toThrow(`must be from 1s to 2m, not "${text}"`);
    }
    expect(() => parse('soon')).toThrow('must be a duration such as');
  });

  it('tells every problem at once, with the variable and what was expected', () => {
    const attempt = () => read({ TRIFOLD_PORT: '80a', TRIFOLD_WAIT: '30', TRIFOLD_QUIET: 'yes' });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(
      /TRIFOLD_PORT must be a whole number.*\n.*TRIFOLD_WAIT must be a duration.*\n.*TRIFOLD_QUIET/,
    );
  });

  it('tells the problems of several services together', () => {
    const attempt = () =>
      readTogether([() => read({ TRIFOLD_PORT: 'x' }), () => read({ TRIFOLD_WAIT: 'x' })]);
    expect(attempt).toThrow(/TRIFOLD_PORT[^]*TRIFOLD_WAIT/);
  });

  it('cannot be changed after it was read', () => {
    expect(Object.isFrozen(read({}))).toBe(true);
  });
});
