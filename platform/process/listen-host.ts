import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns the address to listen on. `::` also accepts IPv4; where the system has no IPv6, it becomes `0.0.0.0`. Any
 * other address is unchanged.
 */
export async function listenHost(host: string, canListen = canListenOn): Promise<string> {
  return host !== '::' || (await canListen(host)) ? host : '0.0.0.0';
}

/** An IPv6 interface is not required, only the address family. */
async function canListenOn(host: string): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen({ port: 0, host }), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
