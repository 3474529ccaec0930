import { describe, expect, it } from 'vitest';
import { ConfigError } from '../service/config.ts';
import { loadRedisConfig } from './redis-config.ts';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    loadRedisConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems.join('\n');
  }
  return '';
};

describe('Redis configuration', () => {
  it('needs only an address and has defaults for the rest', () => {
    const config = loadRedisConfig({ TRIFOLD_REDIS_URL: 'redis://redis.trifold.svc' });
    expect(config).toEqual({
      host: 'redis.trifold.svc',
      port: 6379,
      database: 0,
      tls: false,
      username: undefined,
      password: undefined,
      prefix: 'trifold',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads every setting', () => {
    const config = loadRedisConfig({
      TRIFOLD_REDIS_URL: 'rediss://cache.example.com:6380/3',
      TRIFOLD_REDIS_USERNAME: 'trifold',
      TRIFOLD_REDIS_PASSWORD: 'p:w@d/',
      TRIFOLD_REDIS_PREFIX: 'stage-2',
    });
    expect(config).toEqual({
      host: 'cache.example.com',
      port: 6380,
      database: 3,
      tls: true,
      username: 'trifold',
      password: 'p:w@d/',
      prefix: 'stage-2',
    });
  });

  it('accepts the address of an IPv6 host', () => {
    expect(loadRedisConfig({ TRIFOLD_REDIS_URL: 'redis://[fd00::7]:6379/' })).toMatchObject({
      host: 'fd00::7',
      port: 6379,
    });
  });

  it.each([
    'http://host',
    'redis://',
    'host:6379',
    'redis://host/zero',
    'redis://host/1/2',
    'redis://host?db=1',
  ])('rejects the address %s and describes the expected form', (url) => {
    expect(problemsOf({ TRIFOLD_REDIS_URL: url })).toMatch(/^TRIFOLD_REDIS_URL must be redis:\/\/host/);
  });

  it('rejects credentials in the address, names the right settings and does not quote them', () => {
    const problems = problemsOf({ TRIFOLD_REDIS_URL: 'redis://somebody:hunter2@host:6379' });
    expect(problems).toContain('TRIFOLD_REDIS_PASSWORD');
    expect(problems).not.toMatch(/somebody|hunter2/);
    expect(problemsOf({ TRIFOLD_REDIS_URL: 'redis//hunter2@host' })).not.toContain('hunter2');
  });

  it('reports all problems at once', () => {
    const problems = problemsOf({ TRIFOLD_REDIS_PREFIX: 'a:b', TRIFOLD_REDIS_USERNAME: 'somebody' });
    expect(problems).toMatch(/TRIFOLD_REDIS_URL must be set/);
    expect(problems).toMatch(/TRIFOLD_REDIS_PREFIX must be 1 to 64/);
    expect(problems).toMatch(/TRIFOLD_REDIS_PASSWORD must be set too/);
  });
});
