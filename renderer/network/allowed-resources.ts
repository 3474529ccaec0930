import type { IncomingMessage } from 'node:http';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import type { AddressRange } from '@trifold/platform/settings/address-range.ts';
import { guardedRequest, type GuardedRequest } from '@trifold/platform/outbound/guarded-request.ts';
import { OutboundError, outboundErrorOf } from '@trifold/platform/outbound/outbound-error.ts';
import type { Proxies } from '@trifold/platform/outbound/proxies.ts';
import type { Resolver } from '@trifold/platform/outbound/resolver.ts';
import type { Blocked, Resource, ResourceSource } from '../browser/page/document-requests.ts';
import type { AllowedHost } from '@trifold/platform/settings/setting-forms.ts';

/** Limits on documents' external resources. */
export interface ResourceLimits {
  /** Maximum size of one resource, in bytes. */
  readonly resourceBytes: number;
  /** Maximum total size of one document's resources, in bytes. */
  readonly documentBytes: number;
  /** Maximum number of requests per document, including redirects. */
  readonly requests: number;
  /** Maximum consecutive redirects. */
  readonly redirects: number;
  /** Timeout from name resolution to the last byte, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_RESOURCE_LIMITS: ResourceLimits = {
  resourceBytes: 10 * 2 ** 20,
  documentBytes: 30 * 2 ** 20,
  requests: 100,
  redirects: 3,
  timeoutMs: 10_000,
};

export interface AllowedResourcesOptions {
  readonly hosts: readonly AllowedHost[];
  /** Address ranges that may be reached although they are not public. */
  readonly addresses: readonly AddressRange[];
  /** Address ranges that may not be reached, even if public or allowed. @default none */
  readonly denied?: readonly AddressRange[];
  readonly resolver: Resolver;
  /** @default direct connections */
  readonly proxies?: Proxies;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: ResourceLimits;
}

/**
 * Returns a source that loads document resources from the hosts on an allow-list, on the browser's behalf
 * (docs/adr/0020-allow-list.md).
 */
export function allowedResources(options: AllowedResourcesOptions): ResourceSource {
  const guard = new AddressGuard(options.addresses, options.denied);
  return (signal) => {
    const resources = new DocumentResources(options, guard, signal);
    return (url) => resources.get(url);
  };
}

class DocumentResources {
  readonly #options: AllowedResourcesOptions;
  readonly #limits: ResourceLimits;
  readonly #guard: AddressGuard;
  readonly #signal: AbortSignal;
  #requests = 0;
  #bytes = 0;

  constructor(options: AllowedResourcesOptions, guard: AddressGuard, signal: AbortSignal) {
    this.#options = options;
    this.#limits = options.limits ?? DEFAULT_RESOURCE_LIMITS;
    this.#guard = guard;
    this.#signal = signal;
  }

  async get(url: string): Promise<Resource | Blocked> {
    const follow = (signal: AbortSignal) => this.#follow(url, signal);
    const options = { signal: this.#signal, onTimeout: () => 'failed' as const };
    try {
      return await this.#options.clock.withTimeout(follow, this.#limits.timeoutMs, options);
    } catch (error) {
      if (this.#signal.aborted) return 'failed';
      throw error;
    }
  }

  async #follow(url: string, signal: AbortSignal): Promise<Resource | Blocked> {
    let next = URL.parse(url);
    for (let hop = 0; next !== null && hop <= this.#limits.redirects; hop += 1) {
      if (!isAllowed(next, this.#options.hosts)) return 'not_allowed';
      if (!this.#admits()) return 'failed';
      const response = await this.#ask(next, signal);
      if (!response) return 'failed';
      if (!('location' in response)) return this.#taken(response);
      next = URL.parse(response.location, next.href);
    }
    return 'failed';
  }

  #admits(): boolean {
    if (this.#signal.aborted) return false;
    this.#requests += 1;
    return this.#requests <= this.#limits.requests && this.#bytes < this.#limits.documentBytes;
  }

  async #ask(url: URL, signal: AbortSignal) {
    const { resolver, proxies, logger } = this.#options;
    const maxBytes = this.#limits.resourceBytes;
    try {
      return await guardedGet(url, { guard: this.#guard, resolver, proxies, maxBytes, signal });
    } catch (error) {
      // The host is on the list; the rest of the URL may contain document data.
      const { code } = outboundErrorOf(error);
      if (!signal.aborted) logger.warn({ host: url.host, code }, 'document requests were blocked or failed');
      return undefined;
    }
  }

  #taken({ contentType, body }: Resource): Resource | Blocked {
    this.#bytes += body.length;
    return this.#bytes <= this.#limits.documentBytes ? { contentType, body } : 'failed';
  }
}

/** The size of compressed content would be known too late. */
const HEADERS = { 'user-agent': 'Trifold-Renderer', 'accept-encoding': 'identity' };

/**
 * Sends one GET without cookies or credentials. Returns the content of a 200, or the location of a redirect. Rejects
 * with the same errors as `guardedRequest`.
 */
async function guardedGet(
  url: URL,
  {
    maxBytes,
    ...options
  }: Pick<GuardedRequest, 'guard' | 'resolver' | 'proxies' | 'signal'> & { maxBytes: number },
): Promise<Resource | { readonly location: string }> {
  const message = await guardedRequest(url, { ...options, method: 'GET', headers: HEADERS });
  const { statusCode = 0, headers } = message;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    message.destroy();
    return { location: headers.location };
  }
  const problem = problemOf(message, maxBytes);
  if (problem) {
    message.destroy();
    throw problem;
  }
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  return { contentType, body: await read(message, maxBytes) };
}

function problemOf({ statusCode, headers }: IncomingMessage, maxBytes: number): OutboundError | undefined {
  if (statusCode !== 200) return new OutboundError('http_error', `the response was ${statusCode}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return new OutboundError('answer_invalid', 'the response is compressed');
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

async function read(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    length += piece.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) throw tooLarge(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('answer_invalid', `the response is larger than ${maxBytes} bytes`);
}

/** Whether a document may load a URL: only http and https, without credentials, from a listed host and port. */
export function isAllowed(url: URL, hosts: readonly AllowedHost[]): boolean {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  if (url.username !== '' || url.password !== '') return false;
  return hosts.some(
    ({ hostname, port }) =>
      hostname === url.hostname && (port === undefined ? url.port === '' : port === portOf(url)),
  );
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? ({ 'http:': 80, 'https:': 443 }[protocol] ?? 0) : Number(port);
}
