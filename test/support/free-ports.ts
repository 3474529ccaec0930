import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Ports that were free on 127.0.0.1 a moment ago; all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => {
      server.close();
      return once(server, 'close');
    }),
  );
  return ports;
}

/** How often servers are given other ports. */
const MOST_TRIES = 3;

/** Starts something on ports that were free a moment ago, and on others when somebody else was faster to take one. */
export async function onFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (tries === MOST_TRIES || !isPortTaken(error)) throw error;
    }
  }
}

/** Whether an error with the log of a server in its message says that the server's port is not free. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Error && /(address|port) (is )?already in use/i.test(error.message);
}
