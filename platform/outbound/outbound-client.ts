import { WEBHOOK_TIMEOUT_MS } from '../bounds/webhook-timeout.ts';
import { DAY_MS } from '@trifold/crds/retention.ts';
import { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../async/clock.ts';
import { parseEndpointUrl } from '../records/webhooks/endpoint-url.ts';
import type { AddressGuard } from './address-guard.ts';
import { guardedRequest } from './guarded-request.ts';
import { OutboundError, outboundErrorOf } from './outbound-error.ts';
import { isRelayedByProxy, type Proxies } from './proxies.ts';
import type { Resolver } from './resolver.ts';

export interface OutboundClientOptions {
  readonly guard: Pick<AddressGuard, 'allows'>;
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly allowHttp: boolean;
  readonly userAgent: string;
  /** @default direct connections */
  readonly proxies?: Proxies;
  /** CA certificates to trust, as PEM. Defaults to the certificates that Node trusts. */
  readonly authorities?: string;
  /** Timeout from the name resolution to the status line. @default 30000 (interface, "Limits") */
  readonly timeoutMs?: number;
}

/** A POST to a user-supplied URL. */
export interface OutboundPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of a request. Without `error`, the status was 2xx. */
export interface OutboundResult {
  /** HTTP status, if there was a response. */
  readonly status?: number;
  readonly error?: OutboundError;
  /** The first 1 KiB of the response body. */
  readonly answer?: string;
  /** Retry-After value, in milliseconds from now. */
  readonly retryAfterMs?: number;
  readonly durationMs: number;
}

/** Timeout for the response body: the status alone decides the result. */
const BODY_TIMEOUT_MS = 2_000;
/** Maximum number of response body bytes that are kept. */
const KEPT_ANSWER_BYTES = 1024;
/** Maximum number of response body bytes that are read before the connection is closed. */
const READ_ANSWER_BYTES = 64 * 1024;

/** Control characters that would move a terminal's cursor or be rejected by a text-based store. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]/gu;
/** Maximum delay that a Retry-After header can request. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Sends requests to public Internet addresses only, with `guardedRequest`. Reads a limited part of the response body.
 * (Not undici: it aborts on an unsolicited `100 Continue`.)
 */
export class OutboundClient {
  readonly #options: OutboundClientOptions;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(options: OutboundClientOptions) {
    const { authorities } = options;
    this.#options = options;
    this.#agents = {
      'http:': new HttpAgent({ keepAlive: false }),
      'https:': new HttpsAgent({
        keepAlive: false,
        // Created once: reading all CA certificates takes a significant part of a request's time.
        secureContext: createSecureContext(authorities === undefined ? {} : { ca: authorities }),
      }),
    };
  }

  /** Resolves with the result, successful or not; rejects only with the signal's reason. */
  async post(post: OutboundPost, signal?: AbortSignal): Promise<OutboundResult> {
    const { clock, timeoutMs = WEBHOOK_TIMEOUT_MS } = this.#options;
    const began = clock.monotonicMs();
    // Does not use withTimeout: a status that has arrived counts, even if the timeout expires while the body is being
    // read.
    const timeout = new AbortController();
    const cancel = clock.schedule(timeoutMs, () => timeout.abort(tooLong(timeoutMs)));
    const either = AbortSignal.any(signal ? [signal, timeout.signal] : [timeout.signal]);
    const result = await this.#exchange(post, either)
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        return { error: outboundErrorOf(error) };
      })
      .finally(cancel);
    return { ...result, durationMs: Math.round(clock.monotonicMs() - began) };
  }

  /** Closes idle connections; in-flight requests continue. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #exchange(post: OutboundPost, signal: AbortSignal): Promise<Omit<OutboundResult, 'durationMs'>> {
    const { guard, resolver, proxies, userAgent } = this.#options;
    const { headers, body } = post;
    const url = parseEndpointUrl(post.url, this.#options);
    const message = await guardedRequest(url, {
      guard,
      resolver,
      proxies,
      method: 'POST',
      headers: { ...headers, 'user-agent': userAgent, 'content-length': String(Buffer.byteLength(body)) },
      body,
      agents: this.#agents,
      signal,
    });
    const answer = await this.#read(message, signal);
    // The endpoint may have responded without reading the request.
    message.socket.destroy();
    const status = message.statusCode ?? 0;
    const retryAfter = retryAfterMs(message.headers['retry-after'], this.#options.clock.now());
    const error = errorOfStatus(status);
    return {
      ...(error?.code !== 'answer_invalid' && { status }),
      // The body may be the proxy's error page, with internal names.
      ...(!isRelayedByProxy(url, proxies) && { answer }),
      ...(error && { error }),
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    };
  }

  /** Reads the response body. Errors are ignored: the status alone decides the result. */
  #read(message: IncomingMessage, signal: AbortSignal): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const kept: Buffer[] = [];
    let read = 0;
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      message.destroy();
      resolve(responseText(kept));
    };
    const cancel = this.#options.clock.schedule(BODY_TIMEOUT_MS, end);
    signal.addEventListener('abort', end, { once: true });
    message.on('data', (piece: Buffer) => {
      if (read < KEPT_ANSWER_BYTES) kept.push(piece.subarray(0, KEPT_ANSWER_BYTES - read));
      read += piece.length;
      if (read >= READ_ANSWER_BYTES) end();
    });
    message.once('end', end);
    message.once('error', end);
    message.once('close', end);
    return promise;
  }
}

function tooLong(timeoutMs: number): OutboundError {
  return new OutboundError('timeout', `the endpoint did not respond within ${timeoutMs / 1000} seconds`);
}

/** A number that is not an HTTP status (RFC 9110, 15) is meaningless. */
function errorOfStatus(status: number): OutboundError | undefined {
  if (status < 100 || status > 999) {
    return new OutboundError(
      'answer_invalid',
      `the endpoint returned ${status}, which is not an HTTP status`,
    );
  }
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const message = `the endpoint returned ${status}: redirects are not followed`;
    return new OutboundError('redirected', message);
  }
  return new OutboundError('http_error', `the endpoint returned ${status}`);
}

/** Decodes the start of a response body as displayable text; invalid UTF-8 becomes U+FFFD. */
function responseText(pieces: readonly Buffer[]): string {
  const bytes = Buffer.concat(pieces).subarray(0, KEPT_ANSWER_BYTES);
  // Omits a character that is cut off at the end.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll(CONTROL, '\ufffd').slice(0, KEPT_ANSWER_BYTES);
}

/** Parses a Retry-After header, seconds or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(httpDate(text)) - now.getTime();
  if (Number.isNaN(milliseconds)) return undefined;
  return Math.min(Math.max(0, milliseconds), MAX_RETRY_AFTER_MS);
}

/** Date.parse accepts many strings that are not HTTP dates. This is the preferred format, which servers send. */
function httpDate(text: string): string {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? text : '';
}
