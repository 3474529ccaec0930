import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { SealedCookie } from '../sealed-cookie.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { OidcConfig } from './oidc-config.ts';

/** Browsers reject cookies of more than 4096 bytes, with their name and attributes. Sealed, a token is a third longer. */
const MAX_ID_TOKEN_LENGTH = 2600;

/** A session that began at the provider. */
interface ProviderSession {
  /** Name of the ApiKey of the session. */
  readonly keyId: string;
  /** Names the session to the provider. Missing if it does not fit in the cookie. */
  readonly idToken?: string;
}

/** Ends the session at the provider together with the one here (OpenID Connect RP-Initiated Logout 1.0). */
export class ProviderSignOut {
  readonly #provider: Pick<IdentityProvider, 'signOutUrl'>;
  readonly #cookie: SealedCookie<ProviderSession>;
  readonly #returnTo: URL;
  readonly #https: boolean;

  constructor(
    provider: Pick<IdentityProvider, 'signOutUrl'>,
    { oidc, secret, clock }: { oidc: Pick<OidcConfig, 'publicUrl'>; secret: string; clock: Clock },
  ) {
    this.#provider = provider;
    this.#cookie = new SealedCookie('trifold_sign_out', 'strict', { secret, clock });
    this.#returnTo = new URL('/dashboard/', oidc.publicUrl);
    this.#https = oidc.publicUrl.protocol === 'https:';
  }

  /** Records in a cookie that the session of the key began at the provider. */
  async remember(
    reply: FastifyReply,
    { keyId, idToken }: Required<ProviderSession>,
    { seconds }: { readonly seconds: number },
  ): Promise<void> {
    const session = { keyId, ...(idToken.length <= MAX_ID_TOKEN_LENGTH && { idToken }) };
    await this.#cookie.set(reply, session, { https: this.#https, seconds });
  }

  /**
   * Returns the address at the provider that ends the session there and leads back to the dashboard. Undefined if the
   * session of the key did not begin there, or if the provider is unavailable or has no such address.
   */
  async urlFor(request: FastifyRequest, reply: FastifyReply, key: ApiKey): Promise<URL | undefined> {
    const opened = await this.#cookie.open(request);
    this.#cookie.clear(reply);
    if (opened?.payload.keyId !== key.metadata.name) return undefined;
    try {
      return await this.#provider.signOutUrl(this.#returnTo, opened.payload.idToken);
    } catch (err) {
      request.log.warn({ err }, 'failed to sign out at the identity provider');
      return undefined;
    }
  }
}
