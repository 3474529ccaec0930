import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from 'jose';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { hostnameOf } from '../server/http/own-hosts.ts';
import { isLoopback } from '@trifold/platform/settings/setting-forms.ts';

/**
 * Browsers accept such a name only from the host itself, over https and for every path (RFC 6265bis, section 4.1.3.2).
 */
const PREFIX = '__Host-';
const SEAL = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * A cookie that no other host can set. Over https its name has the prefix `__Host-`. The plain name, for plain http, is
 * accepted only on loopback hosts. The content is encrypted and authenticated as JWE (RFC 7516), with a secret that all
 * gateways share. The content of one cookie cannot be opened as the content of another.
 */
export class SealedCookie<Payload extends object> {
  readonly #name: string;
  readonly #sameSite: 'strict' | 'lax';
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(
    name: string,
    sameSite: 'strict' | 'lax',
    { secret, clock }: { readonly secret: string; readonly clock: Clock },
  ) {
    this.#name = name;
    this.#sameSite = sameSite;
    this.#key = createHash('sha256').update(`trifold ${name}\n${secret}`).digest();
    this.#clock = clock;
  }

  /** Whether the request has the cookie, valid or not. */
  isIn(request: FastifyRequest): boolean {
    return this.#valuesIn(request).length > 0;
  }

  /**
   * Returns the content. Undefined if the cookie is missing, has expired or was sealed with a different secret, or if
   * there are several: ports share cookies, so a page on another port may have set one of them.
   */
  async open(request: FastifyRequest): Promise<{ payload: Payload; sealedAt: Date } | undefined> {
    const values = this.#valuesIn(request);
    const [sealed = ''] = values.length === 1 ? values : [];
    try {
      const { payload } = await jwtDecrypt<Payload & Required<Pick<JWTPayload, 'iat'>>>(sealed, this.#key, {
        contentEncryptionAlgorithms: [SEAL.enc],
        keyManagementAlgorithms: [SEAL.alg],
        currentDate: this.#clock.now(),
      });
      return { payload, sealedAt: new Date(payload.iat * 1000) };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /** `seconds`: time during which the cookie can be opened. */
  async set(
    reply: FastifyReply,
    payload: Payload,
    { https, seconds }: { readonly https: boolean; readonly seconds: number },
  ): Promise<void> {
    const now = Math.floor(this.#clock.now().getTime() / 1000);
    const sealed = await new EncryptJWT({ ...payload } as JWTPayload)
      .setProtectedHeader(SEAL)
      .setIssuedAt(now)
      .setExpirationTime(now + seconds)
      .encrypt(this.#key);
    this.#write(reply, sealed, { https, seconds });
  }

  /** Deletes the cookie under both names. */
  clear(reply: FastifyReply): void {
    for (const https of [true, false]) this.#write(reply, '', { https, seconds: 0 });
  }

  #write(reply: FastifyReply, value: string, { https, seconds }: { https: boolean; seconds: number }): void {
    void reply.setCookie(https ? PREFIX + this.#name : this.#name, value, {
      path: '/',
      httpOnly: true,
      sameSite: this.#sameSite,
      secure: https,
      maxAge: seconds,
    });
  }

  /** Names are compared exactly, without the trimming or decoding that other parsers do. */
  #valuesIn({ headers: { cookie = '', host } }: FastifyRequest): string[] {
    const names = isLoopback(hostnameOf(host)) ? [PREFIX + this.#name, this.#name] : [PREFIX + this.#name];
    const cookies = cookie.split(/; */);
    return names.flatMap((name) =>
      cookies.filter((each) => each.startsWith(`${name}=`)).map((each) => each.slice(name.length + 1)),
    );
  }
}
