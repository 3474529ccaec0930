import { BlockList, isIP } from 'node:net';
import { ConfigError, type Environment } from '../settings/read-settings.ts';
import { parseAddressRange } from '../settings/address-range.ts';
import { isLoopback } from '../settings/setting-forms.ts';
import { hostOf } from './url-host.ts';

/**
 * The forward proxies configured in the environment. Never log their credentials. undici's EnvHttpProxyAgent does not
 * reveal which proxy a request uses, but the address guard depends on it, and webhooks are sent with node:http.
 */
export interface Proxies {
  /** For http URLs. */
  readonly http: URL | undefined;
  /** For https URLs. */
  readonly https: URL | undefined;
  /** Entries of NO_PROXY. */
  readonly exceptions: readonly string[];
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case; lower case wins. Pure. Throws ConfigError with
 * all problems; no message contains the value, which may contain a password.
 */
export function loadProxies(environment: Environment): Proxies {
  const problems: string[] = [];
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const proxyOf = (name: string) => {
    const text = read(name);
    if (text === '') return undefined;
    const url = URL.parse(text.includes('://') ? text : `http://${text}`);
    if (url && /^https?:$/.test(url.protocol) && isDecodable(url)) return url;
    problems.push(
      `${name} must be an http or https URL, such as http://proxy.example.com:3128; encode % as %25 in a user name or password`,
    );
    return undefined;
  };
  const [http, https] = [proxyOf('HTTP_PROXY'), proxyOf('HTTPS_PROXY')];
  if (problems.length > 0) throw new ConfigError(problems);
  const exceptions = read('NO_PROXY')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean);
  return Object.freeze({ http, https, exceptions });
}

/**
 * Returns the proxy for a URL; undefined for a direct connection, which loopback addresses always get.
 */
export function proxyFor(url: URL, { http, https, exceptions }: Proxies): URL | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const hostname = hostOf(url).replace(/\.$/, '');
  const port = url.port || (DEFAULT_PORTS[url.protocol] ?? '');
  if (exceptions.some((entry) => isException(entry, hostname, port))) return undefined;
  return url.protocol === 'https:' ? https : http;
}

/** Whether a proxy reads the request and its response. For https URLs, it only forwards bytes. */
export function isRelayedByProxy(url: URL, proxies: Proxies | undefined): boolean {
  return url.protocol === 'http:' && proxies !== undefined && proxyFor(url, proxies) !== undefined;
}

/**
 * An entry of NO_PROXY is `*`, a name with all names below it, `.name` or `*.name` for only those below, an address, or
 * a range such as `10.0.0.0/8`. A name or an address may include a port.
 */
function isException(entry: string, hostname: string, port: string): boolean {
  const [, bracketed, plain = entry, onlyPort = port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  if (onlyPort !== port) return false;
  const host = bracketed ?? plain;
  const range = rangeOf(host);
  if (range) return isIn(range, hostname);
  const name = host.replace(/^\*?\.|\.$/g, '');
  return host === '*' || hostname.endsWith(`.${name}`) || (hostname === name && !/^\*?\./.test(host));
}

function rangeOf(text: string): BlockList | undefined {
  try {
    const { address, prefix, family } = parseAddressRange(text);
    const list = new BlockList();
    list.addSubnet(address, prefix, family);
    return list;
  } catch {
    return undefined;
  }
}

function isIn(range: BlockList, hostname: string): boolean {
  const version = isIP(hostname);
  return version !== 0 && range.check(hostname, version === 4 ? 'ipv4' : 'ipv6');
}
