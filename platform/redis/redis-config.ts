import {
  ConfigError,
  plainText,
  readSettings,
  readTogether,
  type Environment,
  type SettingParser,
} from '../service/config.ts';

/** Address of Redis. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  /** Database number. */
  readonly database: number;
  readonly tls: boolean;
}

/** Connection settings of Redis. */
export interface RedisConfig extends RedisAddress {
  /** TRIFOLD_REDIS_USERNAME; without it, Redis uses its own default, `default`. */
  readonly username: string | undefined;
  /** TRIFOLD_REDIS_PASSWORD. */
  readonly password: string | undefined;
  /** Prefix of every key. TRIFOLD_REDIS_PREFIX. */
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
 * Reads the connection settings of Redis. TRIFOLD_REDIS_URL must be set. Pure; the result is frozen. Throws ConfigError
 * with all problems together; no message contains a credential.
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

/** Checks what the parser of a single variable cannot. */
function requireTogether(environment: Environment): void {
  const problems: string[] = [];
  if (!environment['TRIFOLD_REDIS_URL']) problems.push(`TRIFOLD_REDIS_URL must be set: ${FORM}`);
  if (environment['TRIFOLD_REDIS_USERNAME'] && !environment['TRIFOLD_REDIS_PASSWORD']) {
    problems.push('TRIFOLD_REDIS_USERNAME is set, so TRIFOLD_REDIS_PASSWORD must be set too');
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Errors never quote the text, which may contain a password. */
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
    // An IPv6 address has brackets only in a URL.
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

/** No colons, because they separate the parts of a key. */
const keyPrefix: SettingParser<string> = (text) => {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(text)) return text;
  throw new RangeError(
    `must be 1 to 64 letters, digits, dots, hyphens or underscores, not ${JSON.stringify(text)}`,
  );
};
