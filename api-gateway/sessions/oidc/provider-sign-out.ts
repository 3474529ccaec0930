import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '@trifold/crds';
import { HostCookie } from '../host-cookie.ts';
import { Sealer } from '../sealer.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { OidcConfig } from './oidc-config.ts';
import type { OidcRoutesOptions } from './routes.ts';

const COOKIE = new HostCookie('trifold_sign_out', 'strict');
/** Browsers refuse cookies of more than 4096 bytes, with their name and attributes. */
const MOST_SEALED = 3800;

/** A session that began at the provider. */
interface ProviderSession {
  /** Name of the ApiKey of the session. */
  readonly keyId: string;
  /** Names the session to the provider. Missing if it does not fit in the cookie. */
  readonly idToken?: string;
}

export interface ProviderSignOutOptions extends Pick<OidcRoutesOptions, 'secret' | 'clock'> {
  readonly oidc: Pick<OidcConfig, 'publicUrl'>;
}

/** Ends the session at the provider together with the one here (OpenID Connect RP-Initiated Logout 1.0). */
export class ProviderSignOut {
  readonly #provider: Pick<IdentityProvider, 'signOutUrl'>;
  readonly #sealer: Sealer<ProviderSession>;
  readonly #returnTo: URL;
  readonly #https: boolean;

  constructor(
    provider: Pick<IdentityProvider, 'signOutUrl'>,
    { oidc, secret, clock }: ProviderSignOutOptions,
  ) {
    this.#provider = provider;
    this.#sealer = new Sealer('sign-out', secret, clock);
    this.#returnTo = new URL('/dashboard/', oidc.publicUrl);
    this.#https = oidc.publicUrl.protocol === 'https:';
  }

  /** Records in a cookie that the session of the key began at the provider. */
  async remember(
    reply: FastifyReply,
    session: Required<ProviderSession>,
    { seconds }: { readonly seconds: number },
  ): Promise<void> {
    const { keyId } = session;
    let sealed = await this.#sealer.seal(session, seconds);
    if (sealed.length > MOST_SEALED) sealed = await this.#sealer.seal({ keyId }, seconds);
    COOKIE.set(reply, sealed, { https: this.#https, seconds });
  }

  /**
   * Returns the address at the provider that ends the session there and leads back to the dashboard. Undefined if the
   * session of the key did not begin there, or if the provider is unavailable or has no such address.
   */
  async urlFor(request: FastifyRequest, reply: FastifyReply, key: ApiKey): Promise<URL | undefined> {
    const opened = await this.#sealer.open(COOKIE.read(request) ?? '');
    COOKIE.clear(reply);
    if (opened?.payload.keyId !== key.metadata.name) return undefined;
    try {
      return await this.#provider.signOutUrl(this.#returnTo, opened.payload.idToken);
    } catch (err) {
      request.log.warn({ err }, 'failed to sign out at the identity provider');
      return undefined;
    }
  }
}
