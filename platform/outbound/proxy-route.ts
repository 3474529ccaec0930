import { request as httpRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { connect as tlsConnect, type SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { OutboundError } from './outbound-error.ts';
import { hostOf } from './url-host.ts';

export interface ProxyRouteOptions {
  readonly signal: AbortSignal;
  /** CA certificates to trust for the target. @default the certificates that Node trusts */
  readonly secureContext?: SecureContext | undefined;
}

/** Route of a request: the function that sends it, and the options that select its connection. */
export interface Route {
  readonly request: typeof httpRequest;
  readonly options: Omit<RequestOptions, 'headers'> &
    Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the route to a URL through a forward proxy, which resolves the name and connects to it. For https, the proxy
 * sees only the host and the port (CONNECT), and TLS with the target is verified. Rejects with OutboundError when the
 * proxy fails, or with the signal's reason.
 */
export async function proxyRoute(url: URL, proxy: URL, options: ProxyRouteOptions): Promise<Route> {
  const { host, pathname, search } = url;
  if (url.protocol === 'http:') {
    const headers = { host, ...authorization(proxy) };
    const path = url.origin + pathname + search;
    return { request: requestTo(proxy), headers, options: { ...addressOf(proxy), path, agent: false } };
  }
  const { secureContext } = options;
  const socket = await tunnel(url, proxy, options.signal);
  const name = hostOf(url);
  const createConnection = () =>
    tlsConnect({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ...(secureContext && { secureContext }),
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
    });
  return { request: httpsRequest, options: { ...urlToHttpOptions(url), createConnection } };
}

/** Maps an error on the connection to a proxy. */
export function proxyError(cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause;
  return new OutboundError('connection_failed', 'the proxy could not be reached', { cause });
}

/** The proxy's own response to a request, such as 407. */
export function proxyRejection(status: number): OutboundError {
  const why = status === 407 ? 'it requires other credentials' : `it responded with ${status}`;
  return new OutboundError('connection_failed', `the proxy did not connect to the endpoint: ${why}`);
}

function tunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const path = `${url.hostname}:${url.port || '443'}`;
  const headers = { host: path, ...authorization(proxy) };
  const options = { ...addressOf(proxy), method: 'CONNECT', path, headers, agent: false, signal } as const;
  const request = requestTo(proxy)(options);
  request.once('connect', ({ statusCode = 0 }, socket) => {
    // RFC 9110, 9.3.6.
    if (statusCode >= 200 && statusCode < 300) return resolve(socket);
    socket.destroy();
    reject(proxyRejection(statusCode));
  });
  request.on('error', (error) => reject(signal.aborted ? signal.reason : proxyError(error)));
  request.end();
  return promise;
}

function requestTo({ protocol }: URL): typeof httpRequest {
  return protocol === 'https:' ? httpsRequest : httpRequest;
}

/** Without the credentials, which would become an Authorization header for the target. */
function addressOf(proxy: URL): RequestOptions {
  const { protocol, port } = proxy;
  // `rejectUnauthorized` overrides NODE_TLS_REJECT_UNAUTHORIZED.
  return { protocol, hostname: hostOf(proxy), port, rejectUnauthorized: true };
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}
