import {
  ConfigError,
  plainText,
  readSettings,
  readTogether,
  type Environment,
  type SettingParser,
} from '../service/config.ts';

/** Where Redis is. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  /** Number of the database. */
  readonly database: number;
  readonly tls: boolean;
}

/** How Redis is reached. */
export interface RedisConfig extends RedisAddress {
  /** TRIFOLD_REDIS_USERNAME, default Redis' own, `default`. */
  readonly username: string | undefined;
  /** TRIFOLD_REDIS_PASSWORD. */
  readonly password: string | undefined;
  /** Before every key. TRIFOLD_REDIS_PREFIX. */
  readonly prefix: string;
}

interface RedisSettings {
  readonly address: RedisAddress | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly prefix: string;
}

const DEFAULT_PORT = 6379;
const FORM = 'redis://host[:port][/database], or rediss://… for TLS';

/**
 * Reads how Redis is reached. TRIFOLD_REDIS_URL must be set. Pure; the answer is frozen. Throws ConfigError with all
 * problems together; no message repeats a credential.
 */
export function loadRedisConfig(environment: Environment): RedisConfig {
  const [{ address, ...others }] = readTogether<[RedisSettings, void]>([
    () =>
      readSettings<RedisSettings>(environment, {
        address: { variable: 'TRIFOLD_REDIS_URL', parse: redisAddress, fallback: undefined },
        username: { variable: 'TRIFOLD_REDIS_USERNAME', parse: plainText, fallback: undefined },
        password: { variable: 'TRIFOLD_REDIS_PASSWORD', parse: plainText, fallback: undefined },
        prefix: { variable: 'TRIFOLD_REDIS_PREFIX', parse: keyPrefix },
      }),
    () => requireTogether(environment),
  ]);
  if (!address) throw new ConfigError([`TRIFOLD_REDIS_URL must be set: ${FORM}`]);
  return Object.freeze({ ...address, ...others });
}

/** What cannot be seen in one variable alone. */
function requireTogether(environment: Environment): void {
  const problems: string[] = [];
  if (!environment['TRIFOLD_REDIS_URL']) problems.push(`TRIFOLD_REDIS_URL must be set: ${FORM}`);
  if (environment['TRIFOLD_REDIS_USERNAME'] && !environment['TRIFOLD_REDIS_PASSWORD']) {
    problems.push('TRIFOLD_REDIS_USERNAME is set, so TRIFOLD_REDIS_PASSWORD must be set too');
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** The text is never repeated: people put passwords into it. */
const redisAddress: SettingParser<RedisAddress> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    throw new RangeError(`must be ${FORM}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError(
      'must hold no credentials: they belong into TRIFOLD_REDIS_USERNAME and TRIFOLD_REDIS_PASSWORD',
    );
  }
  return {
    // An IPv6 address stands in brackets in a URL, and without them elsewhere.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    database: databaseOf(url),
    tls: url.protocol === 'rediss:',
  };
};

function databaseOf({ pathname, search, hash }: URL): number {
  const [, digits] = /^\/?(\d{0,5})$/.exec(pathname) ?? [];
  if (digits === undefined || search !== '' || hash !== '') {
    throw new RangeError(`must be ${FORM}; nothing else may follow`);
  }
  return Number(digits);
}

/** Colons divide the parts of a key. */
const keyPrefix: SettingParser<string> = (text) => {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(text)) return text;
  throw new RangeError(
    `must be 1 to 64 letters, digits, dots, hyphens or underscores, not ${JSON.stringify(text)}`,
  );
};
