import {
  request as httpRequest,
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { createRequire } from 'node:module';
import type { KubeConfig } from '@kubernetes/client-node';
import { SetupError, TrifoldError } from '../../errors/trifold-error.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from './transport.ts';
import { hostOf } from '../../outbound/url-host.ts';

/** Address of an API server, and credentials for it. */
export type ClusterAccess = Pick<KubeConfig, 'getCurrentCluster' | 'applyToHTTPSOptions'>;

export interface KubeConfigSource {
  /**
   * Path of the kubeconfig file. When omitted: $KUBECONFIG, ~/.kube/config, the pod's service account, in that order.
   */
  readonly kubeconfig?: string;
  /** @default the file's current context */
  readonly context?: string;
}

/** Loads the API server's address and this process's credentials. Throws an Error that names what is missing. */
export function loadKubeConfig(source: KubeConfigSource = {}): KubeConfig {
  const config = readKubeConfig(source.kubeconfig);
  if (source.context !== undefined) config.setCurrentContext(source.context);
  if (!config.getCurrentCluster()) {
    const known = config.getContexts().map((context) => context.name);
    throw new Error(
      `the kubeconfig has no cluster for the context "${config.getCurrentContext()}"; ` +
        `its contexts are: ${known.join(', ') || 'none'}`,
    );
  }
  return config;
}

function readKubeConfig(file: string | undefined): KubeConfig {
  const config = newKubeConfig();
  try {
    if (file === undefined) config.loadFromDefault();
    else config.loadFromFile(file);
  } catch (error) {
    const name = file ?? process.env['KUBECONFIG'] ?? '~/.kube/config';
    // Uses only the first line and no cause, because a YAML error also quotes the file, which contains credentials.
    const [reason] = (error as Error).message.split('\n');
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`the kubeconfig ${name} cannot be read: ${reason}`);
  }
  // client-node creates this context when there is no configuration to read.
  if (file === undefined && config.getCurrentContext() === 'loaded-context') {
    throw new Error('there is no kubeconfig: set KUBECONFIG, write ~/.kube/config, or run inside a cluster');
  }
  return config;
}

/** The `trifold` command's npm package omits client-node, which would make up a quarter of it. */
function newKubeConfig(): KubeConfig {
  try {
    const client = createRequire(import.meta.url)('@kubernetes/client-node') as {
      readonly KubeConfig: new () => KubeConfig;
    };
    return new client.KubeConfig();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    throw new SetupError(
      'commands that use a cluster require @kubernetes/client-node: install it next to @trifold/cli',
      cause,
    );
  }
}

export interface HttpTransportOptions {
  /** Maximum silence from the server during a request other than a watch, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
  /** @default trifold */
  readonly userAgent?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** The client closes connections that are idle for this long, before the server closes them during a request. */
const IDLE_CONNECTION_MS = 30_000;

/**
 * HTTP/1.1 transport to the API server in a kubeconfig, with keep-alive connections. Reads certificates and tokens from
 * the configuration for each request, so that rotated ones take effect. Like kubectl, it sends no credentials over
 * plain HTTP. Watches have no timeout here: their reader must enforce one.
 */
export class HttpTransport implements ApiTransport {
  readonly #kubeConfig: ClusterAccess;
  readonly #server: URL;
  readonly #behindProxy: boolean;
  readonly #agent: HttpAgent;
  readonly #timeoutMs: number;
  readonly #userAgent: string;

  constructor(kubeConfig: ClusterAccess, options: HttpTransportOptions = {}) {
    const cluster = kubeConfig.getCurrentCluster();
    if (!cluster) throw new Error('the kubeconfig has no current cluster');
    this.#kubeConfig = kubeConfig;
    this.#server = new URL(cluster.server);
    this.#behindProxy = cluster.proxyUrl !== undefined && cluster.proxyUrl !== '';
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#userAgent = options.userAgent ?? 'trifold';
    const agentOptions = { keepAlive: true, timeout: IDLE_CONNECTION_MS };
    this.#agent = this.#secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const options = await this.#optionsOf(request);
    try {
      return await this.#exchange(request, options);
    } catch (error) {
      // The server closed a keep-alive connection just as it was reused; a read can be retried.
      const isStale = error instanceof TrifoldError && error.code === 'stale_connection';
      if (!isStale || request.method !== 'GET') throw error;
      return await this.#exchange(request, options);
    }
  }

  /** Closes all connections, including open watches. */
  close(): void {
    this.#agent.destroy();
  }

  get #secure(): boolean {
    return this.#server.protocol === 'https:';
  }

  async #optionsOf(request: ApiRequest): Promise<RequestOptions> {
    const options: RequestOptions = { headers: {} };
    if (this.#secure) await this.#kubeConfig.applyToHTTPSOptions(options);
    // client-node's own agent does not keep connections alive; it is needed only behind a proxy.
    if (!this.#behindProxy) options.agent = this.#agent;
    const { port, protocol, pathname } = this.#server;
    return {
      ...options,
      protocol,
      hostname: hostOf(this.#server),
      ...(port !== '' && { port }),
      method: request.method,
      path: pathname.replace(/\/$/, '') + request.path + queryOf(request),
      headers: { ...trimmed(options.headers), ...this.#headersOf(request) },
      timeout: request.query?.['watch'] === 'true' ? 0 : this.#timeoutMs,
    };
  }

  #headersOf(request: ApiRequest): Record<string, string> {
    const headers: Record<string, string> = { 'user-agent': this.#userAgent, ...request.headers };
    if (request.body !== undefined) headers['content-length'] = String(Buffer.byteLength(request.body));
    return headers;
  }

  async #exchange(request: ApiRequest, options: RequestOptions): Promise<ApiResponse> {
    request.signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
    const outgoing = (this.#secure ? httpsRequest : httpRequest)(options);
    let incoming: IncomingMessage | undefined;
    const fail = (error: Error) => {
      // Destroy the body first: otherwise its error would only say "aborted".
      incoming?.destroy(error);
      outgoing.destroy(error);
    };
    const onAbort = () => fail(request.signal?.reason as Error);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    outgoing.once('close', () => request.signal?.removeEventListener('abort', onAbort));
    outgoing.once('timeout', () => fail(new Error(`no data for ${this.#timeoutMs} ms`)));
    outgoing.on('error', (error) => reject(isStale(outgoing, error) ? staleConnection(error) : error));
    outgoing.once('response', (message) => {
      incoming = message;
      resolve({ status: message.statusCode ?? 0, headers: headersOf(message), body: message });
    });
    outgoing.end(request.body);
    return promise;
  }
}

/** Whether a reused connection failed before the first byte of a response. */
function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function staleConnection(cause: Error): TrifoldError {
  return new TrifoldError('stale_connection', cause.message, { retryable: true, cause });
}

function queryOf(request: ApiRequest): string {
  const query = new URLSearchParams(request.query).toString();
  return query === '' ? '' : `?${query}`;
}

/** A token read from a file may end with a newline, which is invalid in a header. */
function trimmed(headers: RequestOptions['headers']): Record<string, string> {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
}

function headersOf(message: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
