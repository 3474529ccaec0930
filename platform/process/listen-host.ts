import { once } from 'node:events';
import { createServer } from 'node:net';

/** The system's codes for a machine without IPv6, and for one with IPv6 that is off. */
const WITHOUT_IPV6 = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/**
 * Returns the address to listen on. `::` accepts IPv4 as well as IPv6, but fails on a machine whose IPv6 is off: it
 * becomes `0.0.0.0` there. Rejects with the system error if a listener fails for another reason.
 *
 * @param attempt Listens on the address for a moment; rejects with the system error.
 */
export async function listenHost(host: string, attempt = listenBriefly): Promise<string> {
  if (host !== '::') return host;
  try {
    await attempt(host);
    return host;
  } catch (error) {
    if (WITHOUT_IPV6.includes((error as NodeJS.ErrnoException).code ?? '')) return '0.0.0.0';
    throw error;
  }
}

async function listenBriefly(host: string): Promise<void> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
