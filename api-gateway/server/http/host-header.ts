/** Characters of a name, an IPv4 address, an IPv6 address in brackets, and a port. */
const HOST = /^[\w.:[\]-]+$/;

/**
 * Returns the host of a Host header in lower case, without its port; IPv6 addresses keep their brackets. Returns an empty
 * text for anything else that a URL could contain, for example a path or user information.
 */
export function hostnameOf(host = ''): string {
  return HOST.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
