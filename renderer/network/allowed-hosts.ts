/** A host from which documents may load resources; without `port`, only the default port of the scheme. */
export interface AllowedHost {
  readonly hostname: string;
  readonly port: number | undefined;
}

const FORM = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const EXPECTED = 'must be hosts such as cdn.example.com or images.example.com:8443, separated by commas';

/** Parses `host` or `host:port`. Throws a RangeError that describes the expected format. */
export function parseAllowedHost(text: string): AllowedHost {
  const [, hostname = '', port] = FORM.exec(text.trim().toLowerCase()) ?? [];
  const refused = new RangeError(`${EXPECTED}, not ${JSON.stringify(text)}`);
  if (hostname === '' || !URL.canParse(`http://${hostname}/`)) throw refused;
  // 127.1 and 0x7f.1 are spellings of an address; later comparisons use the normalized address.
  if (new URL(`http://${hostname}/`).hostname !== hostname) throw refused;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw refused;
  return { hostname, port: port === undefined ? undefined : Number(port) };
}

/** Whether a document may load a URL: only http and https, without credentials, from a listed host and port. */
export function isAllowed(url: URL, hosts: readonly AllowedHost[]): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (url.username !== '' || url.password !== '') return false;
  return hosts.some(
    ({ hostname, port }) =>
      hostname === url.hostname && (port === undefined ? url.port === '' : port === portOf(url)),
  );
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? ({ 'http:': 80, 'https:': 443 }[protocol] ?? 0) : Number(port);
}
