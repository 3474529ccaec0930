import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RunningAccounts } from '../../scheduling/running-accounts.ts';
import { BOUNDS } from '../../bounds/bounds.ts';
import type { Clock } from '../../async/clock.ts';
import { listenHost } from '../../process/listen-host.ts';
import type { Logger } from '../../process/logging.ts';
import type { PreviewOutcome, PreviewRenderer } from '../port.ts';
import type { PreviewServerConfig } from './preview-config.ts';
import {
  ACCOUNT_HEADER,
  assertLength,
  decodeTask,
  encodeOutcome,
  MESSAGE_TYPE,
  messageLength,
  PREVIEW_PATH,
  PreviewMessageError,
  readMessage,
  writeMessage,
} from './preview-message.ts';

export interface PreviewServerOptions extends PreviewServerConfig {
  readonly host: string;
  readonly renderer: PreviewRenderer;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Time limit for a complete request to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Time limit for a gateway to read a response, in milliseconds. */
const SEND_TIMEOUT_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;
/** Time during which responses may still be read after `close`, in milliseconds. */
const CUT_AFTER_MS = 1_000;

const MAX_PREVIEWS = BOUNDS.clusterPreviews.limit.value;

/**
 * Renders previews for gateways (docs/adr/0027-previews-go-straight-to-a-renderer.md), one at a time, plus one from
 * another account. A preview counts until it is sent. Checks the token and the capacity before it reads the body
 * (`Expect: 100-continue`).
 *
 * Responds with 200 and the outcome, or without a body: 401 for a wrong token, 503 when at capacity or closing, 400 and
 * 413 for invalid messages. A preview ends when its connection closes.
 */
export class PreviewServer {
  readonly #options: PreviewServerOptions;
  readonly #server: Server;
  readonly #stopping = new AbortController();
  readonly #running = new RunningAccounts();

  private constructor(options: PreviewServerOptions) {
    this.#options = options;
    const timeouts = {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    };
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: unknown) => {
        options.logger.error({ err: error }, 'failed to respond to a preview');
        response.destroy();
      });
    };
    this.#server = createServer(timeouts, listener).on('checkContinue', listener);
  }

  /** Resolves when the server is listening. Rejects with the system error if it cannot listen. */
  static async listen(options: PreviewServerOptions): Promise<PreviewServer> {
    const server = new PreviewServer(options);
    server.#server.listen(options.port, listenHost(options.host));
    await once(server.#server, 'listening');
    options.logger.info({ port: server.port }, 'serving previews');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Stops accepting previews. Cancels one in flight with 503, so that the gateway asks another renderer. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#stopping.abort(new Error('the renderer is stopping'));
    this.#server.close();
    const cut = this.#options.clock.schedule(CUT_AFTER_MS, () => this.#server.closeAllConnections());
    await closed;
    cut();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection that was rejected may still send a body.
    response.setHeader('connection', 'close');
    if (request.method !== 'POST' || request.url !== PREVIEW_PATH) return reject(response, 404);
    if (!isAuthorized(request, this.#options.token)) return reject(response, 401);
    const account = String(request.headers[ACCOUNT_HEADER] ?? '');
    const fits = this.#running.fits(account, MAX_PREVIEWS);
    if (!fits || this.#stopping.signal.aborted) return reject(response, 503);
    this.#running.add(account);
    const ended = () => this.#running.remove(account);
    let outcome: PreviewOutcome;
    try {
      outcome = await this.#render(request, response);
    } catch (error) {
      return this.#rejectFailed(response, error);
    } finally {
      // The file is in memory until the gateway has read it.
      if (response.destroyed) ended();
      else response.once('close', ended);
    }
    const cut = this.#options.clock.schedule(SEND_TIMEOUT_MS, () => response.destroy());
    response.once('close', cut);
    if (outcome.status === 'busy') return reject(response, 503);
    const message = encodeOutcome(outcome);
    response.writeHead(200, { 'content-type': MESSAGE_TYPE, 'content-length': messageLength(message) });
    writeMessage(message, response);
  }

  async #render(request: IncomingMessage, response: ServerResponse): Promise<PreviewOutcome> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the gateway closed the connection'));
    });
    assertLength(request);
    if (request.headers.expect !== undefined) response.writeContinue();
    const task = decodeTask(await readMessage(request));
    return this.#options.renderer.render(task, AbortSignal.any([gone.signal, this.#stopping.signal]));
  }

  #rejectFailed(response: ServerResponse, error: unknown): void {
    if (response.destroyed) return;
    if (this.#stopping.signal.aborted) return reject(response, 503);
    if (!(error instanceof PreviewMessageError)) throw error;
    this.#options.logger.warn({ err: error }, 'rejected a preview');
    reject(response, error.statusCode);
  }
}

function reject(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 503 ? { 'retry-after': '1' } : {}).end();
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  return timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
