import { once } from 'node:events';
import { connect } from 'node:net';

/** A port on 127.0.0.1 without a listener, reserved until it is released. */
export interface SilentPort {
  readonly port: number;
  stop(): Promise<void>;
}

/** Uses the local port of a connection to `server`, a port on this machine. */
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
