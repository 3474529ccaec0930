import { Resolver as DnsResolver } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MachineLookups } from './machine-lookups.ts';

/** Finds the addresses of a name. Rejects when there are none; after the signal's abort perhaps nothing is asked any more. */
export interface Resolver {
  resolve(hostname: string, signal?: AbortSignal): Promise<string[]>;
}

const TIMEOUT_MS = 4_000;
const TRIES = 2;
/** Once there are addresses of one family. */
const OTHER_FAMILY_MS = 300;

export interface SystemResolverOptions {
  /** Name servers, `address:port`. @default those of the machine */
  readonly servers?: readonly string[];
  /** How long one is waited for at the first try. @default 4000 */
  readonly timeoutMs?: number;
  /** How long the addresses of the other family are waited for when there are some of one. @default 300 */
  readonly otherFamilyMs?: number;
}

/** Answers of name servers after which the machine's own ways are asked: /etc/hosts and the domains to search. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED']);

/**
 * Asks the name servers of the machine. Not by getaddrinfo at first: that takes one of Node's four threads for as long
 * as a name server likes, and four names that nobody answers for would hold up every other name, and all files.
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
    // Never asked of a name server (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    try {
      return await this.#byServers(hostname);
    } catch (error) {
      if (!NOT_THERE.has((error as { code?: string }).code ?? '')) throw error;
    }
    return this.#machine.find(hostname, signal);
  }

  /** Some name servers never answer for a family of which a name has no address: nobody waits long for that. */
  async #byServers(hostname: string): Promise<string[]> {
    const found: string[][] = [[], []];
    const families = [this.#servers.resolve4(hostname), this.#servers.resolve6(hostname)].map(
      async (family, index) => {
        found[index] = await family;
      },
    );
    const all = Promise.allSettled(families);
    const first = Promise.any(families).then(
      () => pause(this.#otherFamilyMs, undefined, { ref: false }),
      () => undefined,
    );
    await Promise.race([all, first]);
    if (found.flat().length > 0) return found.flat();
    const failed = (await all).find((result) => result.status === 'rejected');
    throw failed?.reason ?? new Error('no address');
  }
}
