import { describe, expect, it, vi } from 'vitest';
import {
  ConfigError,
  readSettings,
  readTogether,
  unknownSettings,
  warnOfUnknownSettings,
} from './read-settings.ts';
import type { Logger } from '../process/logging.ts';
import { byteSize, duration, oneOf } from './setting-types.ts';

const read = (environment: Record<string, string>) =>
  readSettings(environment, {
    port: 'TRIFOLD_PORT',
    wait: 'TRIFOLD_SYNC_WAIT',
    quiet: 'TRIFOLD_LOG_REQUESTS',
    hosts: 'TRIFOLD_HOSTS',
    browser: 'TRIFOLD_BROWSER',
  });

describe('Configuration', () => {
  it("uses a setting's default for an unset or empty variable", () => {
    const defaults = { port: 8080, wait: 30_000, quiet: false, hosts: [], browser: undefined };
    expect(read({ TRIFOLD_PORT: '' })).toEqual(defaults);
  });

  it('requires settings that a service cannot work without', () => {
    const readUrl = () => readSettings({ TRIFOLD_REDIS_URL: '' }, { redis: 'TRIFOLD_REDIS_URL' });
    expect(readUrl).toThrow('TRIFOLD_REDIS_URL must be set: redis://');
  });

  it('parses durations, sizes, flags and words with their units', () => {
    const environment = { TRIFOLD_SYNC_WAIT: '5m', TRIFOLD_LOG_REQUESTS: 'true' };
    expect(read(environment)).toMatchObject({ wait: 300_000, quiet: true });
    expect(['65536', '64Ki', '2Mi'].map(byteSize('0', '1Gi').parse)).toEqual([65_536, 65_536, 2_097_152]);
    expect(oneOf('key', 'account').parse('account')).toBe('account');
  });

  it("enforces inclusive bounds and reports them in the setting's unit", () => {
    const { parse } = duration('1s', '2m');
    expect([parse('1s'), parse('120s')]).toEqual([1000, 120_000]);
    for (const text of ['999ms', '121s']) {
      expect(() => parse(text)).toThrow(`must be from 1s to 2m, not "${text}"`);
    }
    expect(() => parse('soon')).toThrow('must be a duration such as');
  });

  it('reports all problems together, each with its variable and the expected value', () => {
    const attempt = () => read({ TRIFOLD_PORT: '80a', TRIFOLD_SYNC_WAIT: '30', TRIFOLD_LOG_REQUESTS: 'yes' });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(
      /TRIFOLD_PORT must be a whole number.*\n.*TRIFOLD_SYNC_WAIT must be a duration.*\n.*TRIFOLD_LOG_REQUESTS/,
    );
  });

  it('reports the problems of several services together', () => {
    const attempt = () =>
      readTogether([() => read({ TRIFOLD_PORT: 'x' }), () => read({ TRIFOLD_SYNC_WAIT: 'x' })]);
    expect(attempt).toThrow(/TRIFOLD_PORT[^]*TRIFOLD_SYNC_WAIT/);
  });

  it('finds unknown variables and suggests the intended setting', () => {
    const known = { TRIFOLD_PORT: '1', TRIFOLD_TEST_KUBECTL: '/kubectl', HOME: '/' };
    const environment = { TRIFOLD_MAX_BODIES: '1Mi', ...known };
    expect(unknownSettings(environment)).toEqual([
      { variable: 'TRIFOLD_MAX_BODIES', nearest: 'TRIFOLD_MAX_BODY' },
    ]);
  });

  it('logs a warning for an unknown variable without its value', () => {
    const warn = vi.fn<(fields: object, message: string) => void>();
    warnOfUnknownSettings({ TRIFOLD_S3_SECRETKEY: 'hidden' }, { warn } as unknown as Logger);
    expect(warn.mock.calls).toEqual([
      [{ variable: 'TRIFOLD_S3_SECRETKEY', nearest: 'TRIFOLD_S3_SECRET_KEY' }, 'unknown setting, ignored'],
    ]);
  });
});
