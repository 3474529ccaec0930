import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { SealedCookie } from '../sealed-cookie.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { OidcConfig } from './oidc-config.ts';

/**
 * Browsers reject cookies of more than 4096 bytes, including their name and attributes. Sealing makes a token a third
 * longer.
 */
const MAX_ID_TOKEN_LENGTH = 2600;

/** A session that began with a sign-in at the provider. */
interface ProviderSession {
  /** Name of the session's ApiKey. */
  readonly keyId: string;
  /** Identifies the session to the provider. Absent if it does not fit in the cookie. */
  readonly idToken?: string;
}

/** Ends the provider's session together with the local one (OpenID Connect RP-Initiated Logout 1.0). */
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

  /** Records in a cookie that the key's session began at the provider. */
  async remember(
    reply: FastifyReply,
    { keyId, idToken }: Required<ProviderSession>,
    { seconds }: { readonly seconds: number },
  ): Promise<void> {
    const session = { keyId, ...(idToken.length <= MAX_ID_TOKEN_LENGTH && { idToken }) };
    await this.#cookie.set(reply, session, { https: this.#https, seconds });
  }

  /**
   * Returns the provider's URL that ends the session there and redirects back to the dashboard. Undefined if the key's
   * session did not begin there, or if the provider is unavailable or has no such URL.
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
