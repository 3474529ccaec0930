import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns distinct ports that were free on 127.0.0.1 a moment ago. */
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

/** Maximum number of attempts with new ports. */
const MAX_TRIES = 3;

/** Starts a server on free ports; retries with other ports if another process takes one first. */
export async function onFreePorts<T>(
  count: number,
  start: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (tries === MAX_TRIES || !isPortTaken(error)) throw error;
    }
  }
}

/** Whether an error whose message contains a server's log indicates that its port is in use. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Error && /(address|port) (is )?already in use/i.test(error.message);
}
