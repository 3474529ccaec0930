import * as oidc from 'openid-client';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { isLoopback } from '@trifold/platform/settings/setting-forms.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import { proxiedFetch } from '@trifold/platform/outbound/proxied-fetch.ts';
import type { OidcConfig } from './oidc-config.ts';

/** Timeout for a request to the provider. */
export const TIMEOUT_SECONDS = 10;

/**
 * Reason that a user could not sign in; the sign-in page has a message for each reason (dashboard/messages/text.ts).
 * `denied`: the user or the provider rejected the sign-in. `no_access`: no grant matches the claims. `no_account`: the
 * grant's account does not exist. `expired`: the sign-in took too long, or its code had already been used.
 * `unavailable`: the provider or this service cannot be reached. `failed`: the provider returned another error.
 * `too_many`: too many sign-ins are waiting for the provider.
 */
export type SignInReason =
  | 'denied'
  | 'no_access'
  | 'no_account'
  | 'expired'
  | 'unavailable'
  | 'failed'
  | 'too_many';

/** A failed sign-in. The message is for the log and contains neither tokens nor claims. */
export class SignInProblem extends TrifoldError<SignInReason> {}

/** Values that the provider's response must match. The browser keeps them, sealed. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier (RFC 7636). */
  readonly verifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * The identity provider, as a client of OpenID Connect: authorization code with PKCE. Discovers the provider on first
 * use and after a failure, so that a gateway can start without it. Methods reject with SignInProblem.
 */
export class IdentityProvider {
  readonly #config: OidcConfig;
  readonly #fetch: oidc.CustomFetch;
  #discovered: Promise<oidc.Configuration> | undefined;
  #exchanges = 0;

  constructor(config: OidcConfig) {
    this.#config = config;
    this.#fetch = proxiedFetch(config.proxies) as oidc.CustomFetch;
  }

  /** Returns the provider's sign-in URL and the checks for its response. */
  async begin(redirectUri: URL): Promise<{ readonly url: URL; readonly checks: SignInChecks }> {
    const client = await this.#discover();
    const checks = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri.href,
      scope: this.#config.scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url, checks };
  }

  /**
   * Exchanges the code in the response for the ID token and the user's claims, from both the token and UserInfo.
   * Rejects with the code `too_many` beyond the maximum number of exchanges in flight, because they need no key.
   */
  async finish(
    response: URL,
    { state, nonce, verifier }: SignInChecks,
  ): Promise<{ readonly claims: Claims; readonly idToken: string }> {
    if (response.searchParams.get('state') !== state) throw new SignInProblem('expired', 'state mismatch');
    const client = await this.#discover();
    if (this.#exchanges >= BOUNDS.signInExchanges.limit.value) {
      throw new SignInProblem('too_many', 'too many exchanges in flight');
    }
    this.#exchanges += 1;
    try {
      const tokens = await oidc.authorizationCodeGrant(client, response, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const { id_token: idToken = '' } = tokens;
      const claims = tokens.claims() as Claims;
      if (client.serverMetadata().userinfo_endpoint === undefined) return { claims, idToken };
      const userInfo = await oidc.fetchUserInfo(client, tokens.access_token, claims.sub);
      return { claims: { ...userInfo, ...claims }, idToken };
    } catch (error) {
      throw problemOf(error);
    } finally {
      this.#exchanges -= 1;
    }
  }

  /**
   * Returns the provider's sign-out URL; undefined if it has none. Without the ID token, most providers ask the user to
   * confirm.
   */
  async signOutUrl(returnTo: URL, idToken: string | undefined): Promise<URL | undefined> {
    const client = await this.#discover();
    if (client.serverMetadata().end_session_endpoint === undefined) return undefined;
    return oidc.buildEndSessionUrl(client, {
      post_logout_redirect_uri: returnTo.href,
      ...(idToken !== undefined && { id_token_hint: idToken }),
    });
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#config;
    this.#discovered ??= oidc.discovery(issuer, clientId, undefined, authenticationWith(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: this.#fetch,
      execute: isLoopback(issuer.hostname) ? [oidc.allowInsecureRequests] : [],
    });
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = undefined;
      throw new SignInProblem('unavailable', detailOf(error));
    }
  }
}

/** HTTP Basic is the default in OpenID Connect Discovery, but not every provider supports it. */
function authenticationWith(clientSecret: string): oidc.ClientAuth {
  return (server, ...request) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    method(clientSecret)(server, ...request);
  };
}

function problemOf(error: unknown): SignInProblem {
  const detail = detailOf(error);
  if (error instanceof oidc.AuthorizationResponseError) {
    return new SignInProblem(error.error === 'access_denied' ? 'denied' : 'failed', detail);
  }
  if (error instanceof oidc.ResponseBodyError) {
    return new SignInProblem(error.error === 'invalid_grant' ? 'expired' : 'failed', detail);
  }
  // An error without a code means there was no response.
  const isAnswered = error instanceof oidc.ClientError && error.code?.startsWith('OAUTH_') === true;
  return new SignInProblem(isAnswered && error.code !== 'OAUTH_TIMEOUT' ? 'failed' : 'unavailable', detail);
}

/** Returns only constant messages and codes: the causes of these errors contain tokens and claims. */
function detailOf(error: unknown): string {
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    return `${error.message}: ${error.error}`;
  }
  if (!(error instanceof Error)) return 'unknown error';
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `${error.message} (${code})` : error.message;
}
