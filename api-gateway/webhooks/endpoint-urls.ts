import { isIP } from 'node:net';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { hostOf } from '@trifold/platform/outbound/url-host.ts';
import { OutboundError } from '@trifold/platform/outbound/outbound-error.ts';
import { parseEndpointUrl } from '@trifold/platform/records/webhooks/endpoint-url.ts';
import type { OutboundConfig } from '@trifold/platform/outbound/outbound-config.ts';
import { ApiError } from '../server/errors/api-error.ts';

/** Validates the URLs of endpoints, hooks and callbacks. */
export class EndpointUrls {
  readonly #config: OutboundConfig;
  readonly #guard: AddressGuard;

  constructor(config: OutboundConfig) {
    this.#config = config;
    this.#guard = new AddressGuard(config.allowAddresses, config.denyAddresses);
  }

  /**
   * Returns the URL to store. Throws ApiError `invalid_request` with the path for an invalid URL or a forbidden
   * address. Does not resolve host names: their addresses are checked at each attempt.
   */
  check(text: string, path: string): string {
    const url = this.#parse(text, path);
    // Some parsers read a backslash as a slash, others as part of the host name.
    if (text.includes('\\')) throw rejected(path, 'the URL must not contain a backslash');
    const host = hostOf(url).replace(/\.$/, '');
    if (!this.#mayBeReached(host)) {
      throw rejected(path, `${host} is not an allowed address; use a public one`);
    }
    // Stored URLs are compared as strings.
    return text.replace(/^https?/i, (scheme) => scheme.toLowerCase());
  }

  #parse(text: string, path: string): URL {
    try {
      return parseEndpointUrl(text, this.#config);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw rejected(path, error.message);
    }
  }

  #mayBeReached(host: string): boolean {
    if (isIP(host) !== 0) return this.#guard.allows(host);
    const isLocal = host === 'localhost' || host.endsWith('.localhost');
    return !isLocal || this.#guard.allows('127.0.0.1') || this.#guard.allows('::1');
  }
}

function rejected(path: string, message: string): ApiError {
  const text = `The body is not valid: ${path}: ${message}.`;
  return new ApiError('invalid_request', text, { details: [{ path, message }] });
}
