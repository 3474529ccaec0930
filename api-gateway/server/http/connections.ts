import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  /** Requests on the connection that are not answered yet. */
  inHand: number;
  /** Bytes that had come when the last of them was answered; 0 before the first. */
  bytesAtRest: number;
}

/**
 * The connections of a server and what each is used for. The server itself tells only those apart that carried a
 * request before: what has connected and not spoken yet, or has begun to speak, is the same to it.
 */
export class Connections {
  readonly #uses = new Map<Socket, Use>();
  #accepted = 0;
  #onNone: (() => void) | undefined;

  /** Watches a server from now on. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#connected(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#begun(request.socket, response),
    );
  }

  /** How many were ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Resolves when there is none; of any later, only the last call need be answered. */
  async none(): Promise<void> {
    if (this.#uses.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNone = resolve;
    await promise;
  }

  /** Ends those on which nothing was sent since the last answer, or ever. */
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
