import { isKey } from '@trifold/crds/key-format.ts';
import { parseAddressRange, type AddressRange } from './address-range.ts';
import { anyText, duration, textLike, type SettingType } from './setting-types.ts';

/** Maximum number of requests per key in a window. */
export interface RateLimit {
  readonly requests: number;
  /** Length of the window, which begins with the first request; in milliseconds, a multiple of a second. */
  readonly windowMs: number;
}

const RATE_LIMIT = /^([1-9]\d{0,8})\/(\w+)$/;
const rateWindow = duration('1s', '24h');

/** `off` is undefined; `600/1m` is the number of requests a key may send and the window for them. */
export const rateLimit: SettingType<RateLimit | undefined> = {
  parse: (text) => {
    if (text === 'off') return undefined;
    const [, requests, window = ''] = RATE_LIMIT.exec(text) ?? [];
    const windowMs = requests === undefined ? Number.NaN : rateWindow.parse(window);
    if (windowMs % 1000 === 0) return Object.freeze({ requests: Number(requests), windowMs });
    throw new RangeError(
      `must be off, or a number of requests and a time in whole seconds, minutes or hours, such as 600/1m, not ${JSON.stringify(text)}`,
    );
  },
  schema: {
    type: 'string',
    pattern: '^(off|[1-9][0-9]{0,8}/[0-9]{1,9}(ms|s|m|h))$',
    description: 'A string: off, or a number of requests and a time, such as 600/1m.',
  },
};

export const addressRange = {
  parse: (text: string): AddressRange => parseAddressRange(text),
  schema: {
    type: 'string',
    pattern: '^[0-9a-fA-F.:]+(/[0-9]{1,3})?$',
    description: 'An address range such as 10.96.0.0/12.',
  },
} as const;

/** A host from which documents may load resources; without `port`, only the scheme's default port. */
export interface AllowedHost {
  readonly hostname: string;
  readonly port: number | undefined;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;

/** Parses `host` or `host:port`. Throws a RangeError that describes the expected format. */
export function parseAllowedHost(text: string): AllowedHost {
  const [, hostname = '', port] = HOST.exec(text.trim().toLowerCase()) ?? [];
  const url = hostname === '' ? null : URL.parse(`http://${hostname}/`);
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  // 127.1 and 0x7f.1 are alternative spellings of an address; later comparisons use the normalized address.
  if (url?.hostname === hostname && isPort) {
    return { hostname, port: port === undefined ? undefined : Number(port) };
  }
  throw new RangeError(
    `must be hosts such as cdn.example.com or images.example.com:8443, separated by commas, not ${JSON.stringify(text)}`,
  );
}

export const allowedHost = {
  parse: parseAllowedHost,
  schema: {
    type: 'string',
    pattern: '^[A-Za-z0-9._:\\[\\]-]+$',
    description: 'A host such as cdn.example.com, with an optional port.',
  },
} as const;

/** A name in the Host header. */
export const hostName = {
  parse: (text: string): string => {
    const name = text.trim().toLowerCase();
    if (URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name) return name;
    throw new RangeError(
      `must be names such as docs.example.com, without scheme and port, separated by commas, not ${JSON.stringify(text)}`,
    );
  },
  schema: { type: 'string' },
} as const;

/** The message omits the value, which may be most of a real key. */
export function apiKey(mode: 'live' | 'test'): SettingType<string> {
  return {
    ...anyText,
    parse: (text) => {
      if (isKey(text) && text.startsWith(`tf_${mode}_`)) return text;
      throw new RangeError(`must be tf_${mode}_ followed by 43 letters and digits`);
    },
  };
}

/** Address of one renderer, or of all renderers behind a name. */
export interface RendererAddress {
  readonly host: string;
  readonly port: number;
}

export const rendererAddress = {
  parse: (text: string): RendererAddress => {
    const [, ipv6, name, port] = /^(?:\[([0-9A-Fa-f:]+)\]|([^:[\]/@]+)):(\d{1,5})$/.exec(text) ?? [];
    const host = ipv6 ?? name;
    const number = Number(port);
    if (host !== undefined && number > 0 && number <= 65_535) return { host, port: number };
    throw new RangeError(`must list addresses such as renderer.example:9091, not ${JSON.stringify(text)}`);
  },
  schema: { type: 'string' },
} as const;

/** A name that is valid for any API server object (RFC 1123 label). */
export const dnsLabel = textLike(
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  '1 to 63 lowercase letters, digits and hyphens, without a hyphen at the start or end',
);

/** `NAMESPACE/NAME` of an object. */
export const namespacedName: SettingType<{ readonly namespace: string; readonly name: string }> = {
  ...anyText,
  parse: (text) => {
    const [, namespace, name] = /^([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*)$/.exec(text) ?? [];
    if (namespace !== undefined && name !== undefined) return { namespace, name };
    throw new RangeError(`must be NAMESPACE/NAME of a ConfigMap, not ${JSON.stringify(text)}`);
  },
};

export const currencyCode = textLike(/^[A-Z]{3}$/, 'a three-letter currency code such as EUR');
export const decimal = textLike(
  /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,8})?$/,
  'a number such as 0.015, with at most nine digits before the point and eight after it',
);

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a URL with this host name points to this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** An https URL without credentials or query; http on this machine. */
export const secureUrl: SettingType<URL> = {
  parse: (text) => {
    const url = URL.parse(text);
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url && isSecure && url.href === url.origin + url.pathname) return url;
    throw new RangeError(
      `must be an https URL such as https://login.example.com, not ${JSON.stringify(text)}`,
    );
  },
  schema: {
    type: 'string',
    pattern: '^https://[^@?#\\s]+$',
    description: 'An https URL without credentials or a query.',
  },
};

/** Like `secureUrl`, without a path. */
export const secureOrigin: SettingType<URL> = {
  parse: (text) => {
    const url = secureUrl.parse(text);
    if (url.pathname === '/') return url;
    throw new RangeError(
      `must be the address without a path, such as https://docs.example.com, not ${JSON.stringify(text)}: the service does not work below a path prefix`,
    );
  },
  schema: { type: 'string', pattern: '^https://[^@/?#\\s]+/?$', description: 'An https URL without a path.' },
};

export const oidcScopes = textLike(/^(.* )?openid( .*)?$/, 'words separated by spaces, including openid');

/** The URL of an S3 object store, as an origin. The message does not quote the value, which may contain a password. */
export const storeEndpoint: SettingType<string> = {
  ...anyText,
  parse: (text) => {
    const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
    if (url?.href === `${url?.origin}/` && !/[?#]/.test(text)) return url.origin;
    throw new RangeError(
      'must be http:// or https:// with a host and an optional port: set the bucket and the keys in their own settings',
    );
  },
};

/** Amazon's bucket naming rules, which other stores share. */
export const bucketName = textLike(
  /^(?!.*\.\.)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  '3 to 63 lowercase letters, digits, dots and hyphens',
  '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
);
export const regionName = textLike(/^[A-Za-z0-9-]{1,64}$/, 'a region such as us-east-1');

/** The message omits the value. */
export const storeCredential: SettingType<string> = {
  ...anyText,
  parse: (text) => {
    if (/^[\x21-\x7e]{1,1024}$/.test(text)) return text;
    throw new RangeError('must be printable ASCII without spaces: check for a line break at the end');
  },
};

/** No colons, because they separate the parts of a key. Braces make it the hash tag of all keys. */
export const redisPrefix = textLike(
  /^([A-Za-z0-9._-]{1,64}|\{[A-Za-z0-9._-]{1,64}\})$/,
  '1 to 64 letters, digits, dots, hyphens or underscores, with or without braces around them',
);

/** JSON text. Its reader checks the value. */
export const json: SettingType<unknown> = {
  ...anyText,
  parse: (text) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new RangeError('must be JSON');
    }
  },
};
