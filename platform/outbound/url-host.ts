/** Returns the host of a URL as sockets expect it: an IPv6 address without brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}
