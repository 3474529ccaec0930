import { ConfigError, readSettings, readTogether, type Environment } from '../settings/read-settings.ts';

export type RedisConfig = ReturnType<typeof loadRedisConfig>;

/**
 * Reads the connection settings of Redis. In a Redis Cluster, the prefix is in braces, so that all keys share one slot.
 * Pure; the result is frozen. Throws ConfigError with all problems together; no message contains a credential.
 */
export function loadRedisConfig(environment: Environment) {
  const [{ address, prefix, ...others }] = readTogether([
    () =>
      readSettings(environment, {
        address: 'TRIFOLD_REDIS_URL',
        username: 'TRIFOLD_REDIS_USERNAME',
        password: 'TRIFOLD_REDIS_PASSWORD',
        sentinelUsername: 'TRIFOLD_REDIS_SENTINEL_USERNAME',
        sentinelPassword: 'TRIFOLD_REDIS_SENTINEL_PASSWORD',
        prefix: 'TRIFOLD_REDIS_PREFIX',
      }),
    () => requirePasswords(environment),
  ]);
  const tagged = address.kind === 'cluster' && !prefix.startsWith('{');
  return Object.freeze({ ...address, ...others, prefix: tagged ? `{${prefix}}` : prefix });
}

function requirePasswords(environment: Environment): void {
  const users = ['TRIFOLD_REDIS', 'TRIFOLD_REDIS_SENTINEL'];
  const problems = users
    .filter((user) => environment[`${user}_USERNAME`] && !environment[`${user}_PASSWORD`])
    .map((user) => `${user}_USERNAME is set, so ${user}_PASSWORD must be set too`);
  if (problems.length > 0) throw new ConfigError(problems);
}
