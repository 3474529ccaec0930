import {
  ConfigError,
  plainText,
  readSettings,
  readTogether,
  type Environment,
  type SettingParser,
} from '../service/config.ts';

/** Host and port of a server. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** Where Redis is. */
export interface RedisAddress {
  /** `server`: one server. `sentinel`: Sentinels, which name the master. `cluster`: a Redis Cluster. */
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or servers of the cluster; at least one. */
  readonly nodes: readonly RedisNode[];
  /** Name of the master at the Sentinels; empty without Sentinels. */
  readonly master: string;
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
  /** TRIFOLD_REDIS_SENTINEL_USERNAME. */
  readonly sentinelUsername: string | undefined;
  /** TRIFOLD_REDIS_SENTINEL_PASSWORD. */
  readonly sentinelPassword: string | undefined;
  /** Prefix of every key: TRIFOLD_REDIS_PREFIX; in a cluster within braces, so that all keys have one slot. */
  readonly prefix: string;
}

interface RedisSettings extends Omit<RedisConfig, keyof RedisAddress> {
  readonly address: RedisAddress | undefined;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
const FORM =
  'redis://host[:port][/database], redis+sentinel://host[:port][,host…]/master[/database] or redis+cluster://host[:port][,host…], or rediss… for TLS';

/**
 * Reads the connection settings of Redis. TRIFOLD_REDIS_URL must be set. Pure; the result is frozen. Throws ConfigError
 * with all problems together; no message contains a credential.
 */
export function loadRedisConfig(environment: Environment): RedisConfig {
  const [{ address, prefix, ...others }] = readTogether<[RedisSettings, void]>([
    () =>
      readSettings<RedisSettings>(environment, {
        address: { variable: 'TRIFOLD_REDIS_URL', parse: redisAddress, fallback: undefined },
        username: { variable: 'TRIFOLD_REDIS_USERNAME', parse: plainText, fallback: undefined },
        password: { variable: 'TRIFOLD_REDIS_PASSWORD', parse: plainText, fallback: undefined },
        sentinelUsername: {
          variable: 'TRIFOLD_REDIS_SENTINEL_USERNAME',
          parse: plainText,
          fallback: undefined,
        },
        sentinelPassword: {
          variable: 'TRIFOLD_REDIS_SENTINEL_PASSWORD',
          parse: plainText,
          fallback: undefined,
        },
        prefix: { variable: 'TRIFOLD_REDIS_PREFIX', parse: keyPrefix },
      }),
    () => requireTogether(environment),
  ]);
  if (!address) throw new ConfigError([`TRIFOLD_REDIS_URL must be set: ${FORM}`]);
  const tagged = address.kind === 'cluster' && !prefix.startsWith('{');
  return Object.freeze({ ...address, ...others, prefix: tagged ? `{${prefix}}` : prefix });
}

/** Checks what the parser of a single variable cannot. */
function requireTogether(environment: Environment): void {
  const problems: string[] = [];
  if (!environment['TRIFOLD_REDIS_URL']) problems.push(`TRIFOLD_REDIS_URL must be set: ${FORM}`);
  for (const user of ['TRIFOLD_REDIS', 'TRIFOLD_REDIS_SENTINEL']) {
    if (environment[`${user}_USERNAME`] && !environment[`${user}_PASSWORD`]) {
      problems.push(`${user}_USERNAME is set, so ${user}_PASSWORD must be set too`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

const FORMS: Readonly<Record<RedisAddress['kind'], RegExp>> = {
  server: /^(?<scheme>rediss?):\/\/(?<hosts>[^,/?#]+)(?:\/(?<database>\d{0,5}))?$/,
  sentinel:
    /^(?<scheme>rediss?)\+sentinel:\/\/(?<hosts>[^/?#]+)\/(?<master>[\w.-]+)(?:\/(?<database>\d{1,5}))?$/,
  cluster: /^(?<scheme>rediss?)\+cluster:\/\/(?<hosts>[^/?#]+)$/,
};

/** Errors never quote the text, which may contain a password. */
const redisAddress: SettingParser<RedisAddress> = (text) => {
  for (const kind of ['server', 'sentinel', 'cluster'] as const) {
    const { scheme, hosts, master = '', database = '' } = FORMS[kind].exec(text)?.groups ?? {};
    if (hosts === undefined) continue;
    const nodes = hosts
      .split(',')
      .map((host) => nodeOf(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT));
    return { kind, nodes, master, database: Number(database), tls: scheme === 'rediss' };
  }
  throw new RangeError(`must be ${FORM}`);
};

function nodeOf(text: string, defaultPort: number): RedisNode {
  const url = URL.parse(`redis://${text}`);
  if (text.includes('@')) {
    throw new RangeError(
      'must hold no credentials: they belong into TRIFOLD_REDIS_USERNAME and TRIFOLD_REDIS_PASSWORD',
    );
  }
  if (!url?.hostname) throw new RangeError(`must be ${FORM}`);
  // An IPv6 address has brackets only in a URL.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? defaultPort : Number(url.port) };
}

/** No colons, because they separate the parts of a key. Braces make it the hash tag of all keys. */
const keyPrefix: SettingParser<string> = (text) => {
  if (/^(?:[\w.-]{1,64}|\{[\w.-]{1,64}\})$/.test(text)) return text;
  throw new RangeError(
    `must be 1 to 64 letters, digits, dots, hyphens or underscores, with or without braces around them, not ${JSON.stringify(text)}`,
  );
};
