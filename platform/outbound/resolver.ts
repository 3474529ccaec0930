import { Resolver as DnsResolver } from 'node:dns/promises';
import { systemClock } from '../async/clock.ts';
import { MachineLookups } from './machine-lookups.ts';

/** Resolves the addresses of a name. Rejects when there is none. After an abort, the lookup may never run. */
export interface Resolver {
  resolve(hostname: string, signal?: AbortSignal): Promise<string[]>;
}

const TIMEOUT_MS = 4_000;
const TRIES = 2;
/** Timeout for the second address family once the first has a response. */
const OTHER_FAMILY_MS = 300;

export interface SystemResolverOptions {
  /** Name servers, `address:port`. @default the system's name servers */
  readonly servers?: readonly string[];
  /** Timeout for a name server on the first try, in milliseconds. @default 4000 */
  readonly timeoutMs?: number;
  /** Timeout for the second address family once the first has a response, in milliseconds. @default 300 */
  readonly otherFamilyMs?: number;
}

/** Name server errors after which the system resolver is tried: /etc/hosts and search domains. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED']);

/**
 * Queries the system's name servers. getaddrinfo comes second, because each lookup occupies one of Node's four threads
 * until the name server responds: four names without a response would block all other names and all file access.
 */
export class SystemResolver implements Resolver {
  readonly #servers: DnsResolver;
  readonly #machine = new MachineLookups();
  readonly #otherFamilyMs: number;

  constructor(options: SystemResolverOptions = {}) {
    const { servers, timeoutMs = TIMEOUT_MS, otherFamilyMs = OTHER_FAMILY_MS } = options;
    this.#otherFamilyMs = otherFamilyMs;
    this.#servers = new DnsResolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) this.#servers.setServers(servers);
  }

  async resolve(hostname: string, signal?: AbortSignal): Promise<string[]> {
    // Must not be sent to a name server (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    try {
      return await this.#byServers(hostname);
    } catch (error) {
      if (!NOT_THERE.has((error as { code?: string }).code ?? '')) throw error;
    }
    return this.#machine.find(hostname, signal);
  }

  /** Some name servers never respond for a family in which a name has no address, so that wait is short. */
  async #byServers(hostname: string): Promise<string[]> {
    const found: string[][] = [[], []];
    const families = [this.#servers.resolve4(hostname), this.#servers.resolve6(hostname)].map(
      async (family, index) => {
        found[index] = await family;
      },
    );
    const all = Promise.allSettled(families);
    const first = Promise.any(families).then(
      () => systemClock.sleep(this.#otherFamilyMs),
      () => undefined,
    );
    await Promise.race([all, first]);
    if (found.flat().length > 0) return found.flat();
    const failed = (await all).find((result) => result.status === 'rejected');
    throw failed?.reason ?? new Error('no address');
  }
}
