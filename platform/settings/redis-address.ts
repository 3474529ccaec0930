import { anyText, type SettingType } from './setting-types.ts';

/** Host and port of a server. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** The Redis address. */
export interface RedisAddress {
  /** `server`: one server. `sentinel`: Sentinels, which name the master. `cluster`: a Redis Cluster. */
  readonly kind: 'server' | 'sentinel' | 'cluster';
  /** The server, the Sentinels, or the cluster's servers; at least one. */
  readonly nodes: readonly RedisNode[];
  /** Name of the master in the Sentinels' configuration; empty without Sentinels. */
  readonly master: string;
  /** Database number. */
  readonly database: number;
  readonly tls: boolean;
}

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;
/** Permitted forms of the address, for messages. */
export const REDIS_URL_FORM =
  'redis://host[:port][/database], redis+sentinel://host[:port][,host…]/master[/database] or redis+cluster://host[:port][,host…], or rediss… for TLS';

const FORMS: Readonly<Record<RedisAddress['kind'], RegExp>> = {
  server: /^(?<scheme>rediss?):\/\/(?<hosts>[^,/?#]+)(?:\/(?<database>\d{0,5}))?$/,
  sentinel:
    /^(?<scheme>rediss?)\+sentinel:\/\/(?<hosts>[^/?#]+)\/(?<master>[\w.-]+)(?:\/(?<database>\d{1,5}))?$/,
  cluster: /^(?<scheme>rediss?)\+cluster:\/\/(?<hosts>[^/?#]+)$/,
};

/** Errors never quote the value, which may contain a password. */
export const redisAddress: SettingType<RedisAddress> = {
  ...anyText,
  parse: (text) => {
    for (const kind of ['server', 'sentinel', 'cluster'] as const) {
      const { scheme, hosts, master = '', database = '' } = FORMS[kind].exec(text)?.groups ?? {};
      if (hosts === undefined) continue;
      const nodes = hosts
        .split(',')
        .map((host) => nodeOf(host, kind === 'sentinel' ? SENTINEL_PORT : REDIS_PORT));
      return { kind, nodes, master, database: Number(database), tls: scheme === 'rediss' };
    }
    throw new RangeError(`must be ${REDIS_URL_FORM}`);
  },
};

function nodeOf(text: string, defaultPort: number): RedisNode {
  const url = URL.parse(`redis://${text}`);
  if (text.includes('@')) {
    throw new RangeError(
      'must not contain credentials: set TRIFOLD_REDIS_USERNAME and TRIFOLD_REDIS_PASSWORD',
    );
  }
  if (!url?.hostname) throw new RangeError(`must be ${REDIS_URL_FORM}`);
  // An IPv6 address has brackets only in a URL.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? defaultPort : Number(url.port) };
}
