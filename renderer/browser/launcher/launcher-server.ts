import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { chmod, rm } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { BrowserLauncher, RunningBrowser } from '../process/browser.ts';
import { BROWSER_ID, launchKind, memoryId, UPGRADE } from './launcher-protocol.ts';

/** Starts a browser for each connection, and kills it when the connection closes; see launcher-protocol.ts. */
export class LauncherServer {
  readonly #launcher: BrowserLauncher;
  readonly #logger: Logger;
  readonly #server: Server;
  /** Running browsers, by process ID. */
  readonly #browsers = new Map<number, RunningBrowser>();
  readonly #connections = new Set<Duplex>();

  private constructor(launcher: BrowserLauncher, logger: Logger) {
    this.#launcher = launcher;
    this.#logger = logger;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on('upgrade', (request, connection) => void this.#connect(request, connection));
  }

  /** `path`: the socket, to which its group may connect. Replaces an existing socket. */
  static async listen(path: string, launcher: BrowserLauncher, logger: Logger): Promise<LauncherServer> {
    const server = new LauncherServer(launcher, logger);
    await rm(path, { force: true });
    server.#server.listen(path);
    await once(server.#server, 'listening');
    await chmod(path, 0o660);
    return server;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    for (const connection of this.#connections) connection.destroy();
    await Promise.all([...this.#browsers.values()].map((browser) => browser.stop()));
  }

  async #connect(request: IncomingMessage, connection: Duplex): Promise<void> {
    this.#connections.add(connection);
    connection.on('error', () => undefined);
    connection.once('close', () => this.#connections.delete(connection));
    const kind = launchKind(request.url);
    if (!kind) return end(connection, '404 Not Found', 'no such path');
    try {
      this.#attach(await this.#launcher.launch(kind), connection);
    } catch (error) {
      this.#logger.error({ err: error }, 'browser failed to start');
      end(connection, '503 Service Unavailable', (error as Error).message);
    }
  }

  #attach(browser: RunningBrowser, connection: Duplex): void {
    const { pid, commands, answers, exited } = browser;
    this.#browsers.set(pid, browser);
    void exited.then(() => {
      this.#browsers.delete(pid);
      connection.destroy();
    });
    if (connection.destroyed) return void browser.stop();
    for (const event of ['end', 'close']) connection.once(event, () => void browser.stop());
    connection.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${UPGRADE}\r\n${BROWSER_ID}: ${pid}\r\n\r\n`,
    );
    connection.pipe(commands);
    answers.pipe(connection);
  }

  async #answer({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const browser = this.#browsers.get(memoryId(url) ?? -1);
    if (!browser) response.writeHead(404).end();
    else response.end(String(await browser.memoryBytes()));
  }
}

function end(connection: Duplex, status: string, text: string): void {
  const length = Buffer.byteLength(text);
  connection.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${text}`);
}
