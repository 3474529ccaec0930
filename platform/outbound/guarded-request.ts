import { request as httpRequest, type Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { abortable } from '../async/abortable.ts';
import type { AddressGuard } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';
import { isRelayedByProxy, proxyFor, type Proxies } from './proxies.ts';
import { proxyError, proxyRejection, proxyRoute, type Route } from './proxy-route.ts';
import type { Resolver } from './resolver.ts';
import { hostOf } from './url-host.ts';

type Guard = Pick<AddressGuard, 'allows'>;

export interface GuardedRequest {
  readonly guard: Guard;
  readonly resolver: Resolver;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Must not keep connections alive, because reused ones would not be checked. @default none */
  readonly agents?: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };
  /** @default a direct connection */
  readonly proxies?: Proxies | undefined;
  /** Aborting also ends the response body. */
  readonly signal: AbortSignal;
}

/**
 * Timeout for connecting to one of several addresses, within the limit in RFC 8305, section 8. With Node's 250 ms, a
 * request would give up on a working address while this process is busy.
 */
const MAX_ATTEMPT_MS = 2_000;

/** Timeout for looking up a name that the proxy will resolve again. */
const PROXIED_LOOKUP_MS = 2_000;

/**
 * Sends one request over one connection and resolves with the response, its body unread. Resolves the name once, checks
 * every address, and connects to one that passed. Through a proxy, which resolves the name itself, rejects a name that
 * has a forbidden address when resolved here. Verifies TLS and does not follow redirects. Rejects with OutboundError, a
 * socket error, or the signal's reason.
 */
export async function guardedRequest(url: URL, options: GuardedRequest): Promise<IncomingMessage> {
  const { guard, method, headers, body, signal } = options;
  const proxy = options.proxies && proxyFor(url, options.proxies);
  const route = await (proxy ? throughProxy(url, proxy, options) : direct(url, options));
  const isRelayed = isRelayedByProxy(url, options.proxies);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = route.request({
    ...route.options,
    method,
    headers: { ...headers, ...route.headers },
    signal,
  });
  request.once('response', (response) => {
    if (!isRelayed || response.statusCode !== 407) return resolve(response);
    response.destroy();
    reject(proxyRejection(407));
  });
  // An upgrade was not requested.
  request.once('upgrade', (_, socket) => {
    socket.destroy();
    reject(new OutboundError('answer_invalid', 'the endpoint switched to another protocol'));
  });
  if (!proxy) request.once('socket', (socket) => verifyPeer(socket, guard));
  request.on('error', (error) => {
    const isProxyError = isRelayed && !isParserError(error);
    reject(signal.aborted ? signal.reason : isProxyError ? proxyError(error) : error);
  });
  request.end(body);
  return promise;
}

async function direct(url: URL, { guard, resolver, agents, signal }: GuardedRequest): Promise<Route> {
  const isHttp = url.protocol === 'http:';
  const found = await abortable(addressesOf(url, resolver, signal), signal);
  const allowed = found.filter((address) => guard.allows(address));
  if (allowed.length === 0) throw forbidden(url);
  return {
    request: isHttp ? httpRequest : httpsRequest,
    options: {
      ...urlToHttpOptions(url),
      agent: agents?.[isHttp ? 'http:' : 'https:'] ?? false,
      lookup: pinned(allowed),
      autoSelectFamilyAttemptTimeout: MAX_ATTEMPT_MS,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
    },
  };
}

async function throughProxy(
  url: URL,
  proxy: URL,
  { guard, resolver, agents, signal }: GuardedRequest,
): Promise<Route> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROXIED_LOOKUP_MS)]);
  const found = await abortable(addressesOf(url, resolver, limit), limit).catch((error: unknown) => {
    signal.throwIfAborted();
    // Behind a proxy, Internet names often cannot be resolved. The proxy decides.
    if (limit.aborted || (error instanceof OutboundError && error.code === 'dns_failed')) return [];
    throw error;
  });
  // The proxy may connect to any of them.
  if (!found.every((address) => guard.allows(address))) throw forbidden(url);
  return proxyRoute(url, proxy, { signal, secureContext: agents?.['https:'].options.secureContext });
}

function isParserError(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('HPE_') === true;
}

/** Returns the addresses of a URL's host, at least one. */
async function addressesOf(url: URL, resolver: Resolver, signal: AbortSignal): Promise<readonly string[]> {
  const hostname = hostOf(url);
  if (isIP(hostname) !== 0) return [hostname];
  const noAddress = (cause?: unknown) =>
    new OutboundError('dns_failed', `the name ${hostname} has no address`, { cause });
  const found = await resolver.resolve(hostname, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw noAddress(cause);
  });
  if (found.length === 0) throw noAddress();
  return found;
}

function forbidden(url: URL): OutboundError {
  const hostname = hostOf(url);
  const what = isIP(hostname) === 0 ? 'has no allowed address' : 'is not an allowed address';
  return new OutboundError('address_forbidden', `${hostname} ${what}`);
}

/** Replaces the DNS lookup: returns addresses that were resolved and checked before. */
function pinned(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** Second line of defense: closes a connection to a forbidden address before anything is sent. */
function verifyPeer(socket: Socket, guard: Guard): void {
  socket.once('connect', () => {
    if (guard.allows(socket.remoteAddress ?? '')) return;
    socket.destroy(
      new OutboundError('address_forbidden', 'the connection reached an address that is not allowed'),
    );
  });
}
