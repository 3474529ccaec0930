import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../async/clock.ts';
import { HEADER_TIMEOUTS } from './http-timeouts.ts';
import { listenHost } from './listen-host.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { Readiness, type ReadinessCheck } from './readiness.ts';

export interface OperationsOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Checks that fail only if the process must be killed because it cannot recover by itself. */
  readonly live?: readonly ReadinessCheck[];
  /** Checks that must pass for the process to do its work. */
  readonly ready: readonly ReadinessCheck[];
}

/** Serves only Kubernetes probes and Prometheus metrics: GET /healthz, /readyz and /metrics. */
export class OperationsServer {
  readonly #server: Server;
  readonly #metrics: Metrics;
  readonly #live: Readiness;
  readonly #ready: Readiness;

  private constructor(options: OperationsOptions) {
    this.#metrics = options.metrics;
    this.#live = new Readiness(options.live ?? [], options.clock);
    this.#ready = new Readiness(options.ready, options.clock, options.metrics);
    this.#server = createServer(
      { ...HEADER_TIMEOUTS, requestTimeout: HEADER_TIMEOUTS.headersTimeout },
      (request, response) => {
        this.#answer(request, response).catch((error: unknown) => {
          options.logger.error({ err: error }, 'failed to respond to a probe');
          response.destroy();
        });
      },
    );
  }

  /** Resolves when the server is listening. Rejects with the system error if it cannot listen. */
  static async listen(options: OperationsOptions): Promise<OperationsServer> {
    const server = new OperationsServer(options);
    server.#server.listen(options.port, listenHost(options.host));
    await once(server.#server, 'listening');
    options.logger.info({ port: server.port }, 'serving probes and metrics');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0];
    if (request.method !== 'GET') return send(response, 405, { status: 'only GET is supported' });
    if (path === '/healthz') return sendReport(response, this.#live, { good: 'ok', bad: 'stuck' });
    if (path === '/readyz') return sendReport(response, this.#ready, { good: 'ready', bad: 'not ready' });
    if (path !== '/metrics')
      return send(response, 404, { status: 'not found: use /healthz, /readyz or /metrics' });
    const text = await this.#metrics.render();
    response.writeHead(200, { 'content-type': this.#metrics.contentType }).end(text);
  }
}

async function sendReport(
  response: ServerResponse,
  readiness: Readiness,
  words: { good: string; bad: string },
): Promise<void> {
  const checks = await readiness.report();
  const good = checks.every(({ ready }) => ready);
  send(response, good ? 200 : 503, { status: good ? words.good : words.bad, checks });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
