import { once } from 'node:events';
import { connect } from 'node:net';

/** A port of 127.0.0.1 at which nobody listens, and which nobody else gets before it is given up. */
export interface SilentPort {
  readonly port: number;
  stop(): Promise<void>;
}

/** Takes the port that a connection to the `server`, a port of this machine, has at its own end. */
export async function silentPort(server: number): Promise<SilentPort> {
  const socket = connect({ port: server, host: '127.0.0.1', localAddress: '127.0.0.1' });
  await once(socket, 'connect');
  const port = socket.localPort!;
  socket.on('error', () => undefined);
  const stop = async () => {
    if (socket.closed) return;
    socket.destroy();
    await once(socket, 'close');
  };
  return { port, stop };
}
