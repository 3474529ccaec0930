import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import { AddressGuard, type AddressRange } from '@trifold/platform/outbound/address-guard.ts';
import { outboundErrorOf } from '@trifold/platform/outbound/outbound-error.ts';
import type { Resolver } from '@trifold/platform/outbound/resolver.ts';
import type {
  Blocked,
  DocumentResources,
  Resource,
  ResourceSource,
} from '../browser/page/document-permissions.ts';
import { isAllowed, type AllowedHost } from './allowed-hosts.ts';
import { guardedGet } from './guarded-get.ts';
import { DEFAULT_RESOURCE_LIMITS, type ResourceLimits } from './resource-limits.ts';

export interface AllowedResourcesOptions {
  readonly hosts: readonly AllowedHost[];
  /** Ranges that may be reached although they are not public. */
  readonly addresses: readonly AddressRange[];
  /** Ranges that may not be reached, even if public or allowed. @default none */
  readonly denied?: readonly AddressRange[];
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits?: ResourceLimits;
}

/**
 * Loads the resources of documents from the hosts of an allow-list, on the browser's behalf
 * (docs/adr/0020-allow-list.md).
 */
export class AllowedResources implements ResourceSource {
  readonly #options: AllowedResourcesOptions;
  readonly #guard: AddressGuard;

  constructor(options: AllowedResourcesOptions) {
    this.#options = options;
    this.#guard = new AddressGuard(options.addresses, options.denied);
  }

  open(signal: AbortSignal): DocumentResources {
    return new ResourcesOfDocument(this.#options, this.#guard, signal);
  }
}

class ResourcesOfDocument implements DocumentResources {
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
      const answer = await this.#ask(next, signal);
      if (answer?.kind !== 'redirect') return answer ? this.#taken(answer) : 'failed';
      next = URL.parse(answer.location, next.href);
    }
    return 'failed';
  }

  #admits(): boolean {
    if (this.#signal.aborted) return false;
    this.#requests += 1;
    return this.#requests <= this.#limits.requests && this.#bytes < this.#limits.documentBytes;
  }

  async #ask(url: URL, signal: AbortSignal) {
    const { resolver, logger } = this.#options;
    const maxBytes = this.#limits.resourceBytes;
    try {
      return await guardedGet(url, { guard: this.#guard, resolver, maxBytes, signal });
    } catch (error) {
      // The host is on the list; the rest of the URL may contain data of the document.
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
