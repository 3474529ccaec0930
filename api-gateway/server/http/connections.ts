import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  /** Requests on the connection without an answer yet. */
  inHand: number;
  /** Bytes received when the last request was answered; 0 before the first. */
  bytesAtRest: number;
}

/**
 * Connections of a server and their use. The server itself distinguishes only connections that carried a request
 * before: to it, a new connection that is silent and one that has begun to send are the same.
 */
export class Connections {
  readonly #uses = new Map<Socket, Use>();
  #accepted = 0;
  #onNone: (() => void) | undefined;

  /** Observes a server from now on. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#connected(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begun(request.socket, response),
    );
  }

  /** Number of connections that were ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Resolves when no connection is open. Of several calls, only the last is certain to resolve. */
  async none(): Promise<void> {
    if (this.#uses.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNone = resolve;
    await promise;
  }

  /** Ends connections on which nothing arrived since the last answer, or ever. */
  endQuiet(): void {
    for (const [socket, { inHand, bytesAtRest }] of this.#uses) {
      if (inHand === 0 && socket.bytesRead === bytesAtRest) socket.destroy();
    }
  }

  #connected(socket: Socket): void {
    this.#accepted += 1;
    this.#uses.set(socket, { inHand: 0, bytesAtRest: 0 });
    socket.once('close', () => {
      this.#uses.delete(socket);
      if (this.#uses.size === 0) this.#onNone?.();
    });
  }

  #begun(socket: Socket, response: ServerResponse): void {
    const use = this.#uses.get(socket);
    if (!use) return;
    use.inHand += 1;
    response.once('close', () => {
      use.inHand -= 1;
      use.bytesAtRest = socket.bytesRead;
    });
  }
}
