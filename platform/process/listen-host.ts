/**
 * Returns the host for `listen`. `::` accepts IPv4 as well as IPv6, but fails on a machine with IPv6 disabled. With an
 * empty host, Node listens on `::`, or on `0.0.0.0` on such a machine.
 */
export function listenHost(host: string): string {
  return host === '::' ? '' : host;
}
