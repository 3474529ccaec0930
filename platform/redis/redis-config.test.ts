import { describe, expect, it } from 'vitest';
import { ConfigError } from '../settings/read-settings.ts';
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
  it('requires only an address and has defaults for the rest', () => {
    const config = loadRedisConfig({ TRIFOLD_REDIS_URL: 'redis://redis.trifold.svc' });
    expect(config).toEqual({
      kind: 'server',
      nodes: [{ host: 'redis.trifold.svc', port: 6379 }],
      master: '',
      database: 0,
      tls: false,
      username: undefined,
      password: undefined,
      sentinelUsername: undefined,
      sentinelPassword: undefined,
      prefix: 'trifold',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reads every setting', () => {
    const config = loadRedisConfig({
      TRIFOLD_REDIS_URL: 'rediss+sentinel://one.example.com,two.example.com:26380/documents/3',
      TRIFOLD_REDIS_USERNAME: 'trifold',
      TRIFOLD_REDIS_PASSWORD: 'p:w@d/',
      TRIFOLD_REDIS_SENTINEL_USERNAME: 'watcher',
      TRIFOLD_REDIS_SENTINEL_PASSWORD: 's@cret',
      TRIFOLD_REDIS_PREFIX: 'stage-2',
    });
    expect(config).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'one.example.com', port: 26_379 },
        { host: 'two.example.com', port: 26_380 },
      ],
      master: 'documents',
      database: 3,
      tls: true,
      username: 'trifold',
      password: 'p:w@d/',
      sentinelUsername: 'watcher',
      sentinelPassword: 's@cret',
      prefix: 'stage-2',
    });
  });

  it('accepts the address of an IPv6 host', () => {
    expect(loadRedisConfig({ TRIFOLD_REDIS_URL: 'redis://[fd00::7]:6379/' })).toMatchObject({
      nodes: [{ host: 'fd00::7', port: 6379 }],
    });
  });

  it('uses one hash tag for all keys in a cluster, and elsewhere if the prefix has braces', () => {
    const [cluster, server] = ['redis+cluster://one,two:7000', 'redis://one:6380/2'];
    const load = (TRIFOLD_REDIS_URL: string, TRIFOLD_REDIS_PREFIX = '') =>
      loadRedisConfig({ TRIFOLD_REDIS_URL, TRIFOLD_REDIS_PREFIX });
    expect(load(cluster)).toMatchObject({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 6379 },
        { host: 'two', port: 7000 },
      ],
      database: 0,
      prefix: '{trifold}',
    });
    expect(load(cluster, '{docs}').prefix).toBe('{docs}');
    expect(load(server, '{docs}').prefix).toBe('{docs}');
    expect(load(server)).toMatchObject({ kind: 'server', database: 2, prefix: 'trifold' });
  });

  it.each([
    'http://host',
    'redis://',
    'host:6379',
    'redis://host/zero',
    'redis://host/1/2',
    'redis://host?db=1',
    'redis://one,two',
    'redis+sentinel://one:26379',
    'redis+sentinel://one,/documents',
    'redis+sentinel://one/documents/first',
    'redis+cluster://one/1',
    'redis+proxy://one',
  ])('rejects the address %s and describes the expected form', (url) => {
    expect(problemsOf({ TRIFOLD_REDIS_URL: url })).toMatch(/^TRIFOLD_REDIS_URL must be redis:\/\/host/);
  });

  it('rejects credentials in the address and names the right settings, without quoting them', () => {
    const problems = problemsOf({ TRIFOLD_REDIS_URL: 'redis://somebody:hunter2@host:6379' });
    expect(problems).toContain('TRIFOLD_REDIS_PASSWORD');
    expect(problems).not.toMatch(/somebody|hunter2/);
    expect(problemsOf({ TRIFOLD_REDIS_URL: 'redis+sentinel://one,hunter2@two/master' })).not.toContain(
      'hunter2',
    );
    expect(problemsOf({ TRIFOLD_REDIS_URL: 'redis//hunter2@host' })).not.toContain('hunter2');
  });

  it('reports all problems together', () => {
    const problems = problemsOf({ TRIFOLD_REDIS_PREFIX: 'a:b', TRIFOLD_REDIS_USERNAME: 'somebody' });
    expect(problems).toMatch(/TRIFOLD_REDIS_URL must be set/);
    expect(problems).toMatch(/TRIFOLD_REDIS_PREFIX must be 1 to 64/);
    expect(problems).toMatch(/TRIFOLD_REDIS_PASSWORD must be set too/);
  });
});
