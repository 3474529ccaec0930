import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostnameOf } from '../server/http/host-header.ts';
import { isLoopback } from './same-origin.ts';

/** Browsers accept such a name only from this host itself, over https and for every path (RFC 6265bis, section 4.1.3.2). */
const PREFIX = '__Host-';

/**
 * A cookie that no other host can set. Over https its name has the prefix `__Host-`. The plain name, for plain http, counts
 * on loopback hosts alone.
 */
export class HostCookie {
  readonly #name: string;
  readonly #sameSite: 'strict' | 'lax';

  constructor(name: string, sameSite: 'strict' | 'lax') {
    this.#name = name;
    this.#sameSite = sameSite;
  }

  /**
   * Returns undefined without the cookie. Returns an empty text if there are several: ports share cookies, so a page of
   * another port may have set one of them.
   */
  read({ headers: { cookie = '', host } }: FastifyRequest): string | undefined {
    const names = isLoopback(hostnameOf(host)) ? [PREFIX + this.#name, this.#name] : [PREFIX + this.#name];
    const values = names.flatMap((name) => valuesOf(cookie, name));
    return values.length > 1 ? '' : values[0];
  }

  set(
    reply: FastifyReply,
    value: string,
    { https, seconds }: { readonly https: boolean; readonly seconds: number },
  ): void {
    void reply.setCookie(https ? PREFIX + this.#name : this.#name, value, {
      path: '/',
      httpOnly: true,
      sameSite: this.#sameSite,
      secure: https,
      maxAge: seconds,
    });
  }

  /** Deletes the cookie under both names. */
  clear(reply: FastifyReply): void {
    for (const https of [true, false]) this.set(reply, '', { https, seconds: 0 });
  }
}

/** Names are compared exactly: what another parser would trim or decode does not count. */
function valuesOf(cookies: string, name: string): string[] {
  const start = `${name}=`;
  return cookies
    .split(/; */)
    .filter((cookie) => cookie.startsWith(start))
    .map((cookie) => cookie.slice(start.length));
}
