/** A host that documents may get things from; undefined: the usual port of the scheme. */
export interface AllowedHost {
  readonly hostname: string;
  readonly port: number | undefined;
}

const FORM = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const EXPECTED = 'must be hosts such as cdn.example.com or images.example.com:8443, separated by commas';

/** Reads `host` or `host:port`. Throws a RangeError that says what was expected. */
export function parseAllowedHost(text: string): AllowedHost {
  const [, hostname = '', port] = FORM.exec(text.trim().toLowerCase()) ?? [];
  const refused = new RangeError(`${EXPECTED}, not ${JSON.stringify(text)}`);
  if (hostname === '' || !URL.canParse(`http://${hostname}/`)) throw refused;
  // 127.1 and 0x7f.1 are ways to write an address: what is compared later is the address itself.
  if (new URL(`http://${hostname}/`).hostname !== hostname) throw refused;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw refused;
  return { hostname, port: port === undefined ? undefined : Number(port) };
}

/** Whether a document may get this. Only http and https, without credentials, from a host and port of the list. */
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
