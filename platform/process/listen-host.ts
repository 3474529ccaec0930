/**
 * Returns the host for `listen`. `::` accepts IPv4 as well as IPv6, but fails on a machine whose IPv6 is off. With an
 * empty host, Node listens on `::`, or on such a machine on `0.0.0.0`.
 */
export function listenHost(host: string): string {
  return host === '::' ? '' : host;
}
