import { lookup, Resolver as DnsResolver } from 'node:dns/promises';

/** Finds the addresses of a name, all of them. Rejects when there are none. */
export interface Resolver {
  resolve(hostname: string): Promise<string[]>;
}

const TIMEOUT_MS = 4_000;
const TRIES = 2;

export interface SystemResolverOptions {
  /** Name servers, `address:port`. @default those of the machine */
  readonly servers?: readonly string[];
  /** How long one is waited for at the first try. @default 4000 */
  readonly timeoutMs?: number;
}

/** Answers of name servers after which the machine's own ways are asked: /etc/hosts and the domains to search. */
const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED']);

/**
 * Asks the name servers of the machine. Not by getaddrinfo at first: that takes one of Node's four threads for as long
 * as a name server likes, and four names that nobody answers for would hold up every other name, and all files.
 */
export class SystemResolver implements Resolver {
  readonly #servers: DnsResolver;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ servers, timeoutMs = TIMEOUT_MS }: SystemResolverOptions = {}) {
    this.#servers = new DnsResolver({ timeout: timeoutMs, tries: TRIES });
    if (servers) this.#servers.setServers(servers);
  }

  async resolve(hostname: string): Promise<string[]> {
    // Never asked of a name server (RFC 6761).
    if (/(^|\.)localhost\.?$/.test(hostname)) return ['127.0.0.1', '::1'];
    const results = await Promise.allSettled([
      this.#servers.resolve4(hostname),
      this.#servers.resolve6(hostname),
    ]);
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (found.length > 0) return found;
    const failure = results.find((result) => result.status === 'rejected')?.reason as { code?: string };
    if (!NOT_THERE.has(failure?.code ?? '')) throw failure;
    return this.#byMachine(hostname);
  }

  /** One at a time, so that this takes one thread at most. */
  async #byMachine(hostname: string): Promise<string[]> {
    const before = this.#last;
    const found = (async () => {
      await before;
      return lookup(hostname, { all: true });
    })();
    this.#last = found.catch(() => undefined);
    return (await found).map(({ address }) => address);
  }
}
