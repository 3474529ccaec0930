import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PersonKeys, personKeyName, type Person } from '@trifold/platform/records/api-keys/person-keys.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { KeyCache } from '../../server/auth/key-cache.ts';
import { SealedCookie } from '../sealed-cookie.ts';
import type { Sessions } from '../sessions.ts';
import {
  IdentityProvider,
  SignInProblem,
  TIMEOUT_SECONDS,
  type Claims,
  type SignInChecks,
  type SignInReason,
} from './identity-provider.ts';
import type { Grant, OidcConfig } from './oidc-config.ts';
import { ProviderSignOut } from './provider-sign-out.ts';

const SIGN_IN = '/dashboard/sign-in';
const CALLBACK = `${SIGN_IN}/callback`;
/** Time that a user has to sign in at the provider. */
const CHECKS_SECONDS = 600;
/** A session ends after this time, so that the claims are checked again. */
const PERSON_SESSION_SECONDS = 3600;
/** Time until every gateway has a new key in its cache. */
const NEW_KEY_SECONDS = 1;

export interface OidcRoutesOptions {
  readonly oidc: OidcConfig;
  /** Secret that seals the checks for a sign-in, shared by all gateways. */
  readonly secret: string;
  readonly sessions: Sessions;
  readonly keys: KeyCache;
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
}

/**
 * GET /dashboard/sign-in redirects to the identity provider, which redirects back to GET /dashboard/sign-in/callback.
 * Both redirect only to fixed URLs of this service and to the provider. A problem redirects to the sign-in page with
 * the reason in the fragment. Returns how users sign out.
 */
export function oidcRoutes(app: FastifyInstance, options: OidcRoutesOptions): ProviderSignOut {
  const { oidc, sessions, clock } = options;
  const provider = new IdentityProvider(oidc);
  const signOut = new ProviderSignOut(provider, options);
  // The provider's page navigates back here; a strict cookie would not be sent.
  const checksCookie = new SealedCookie<SignInChecks>('trifold_sign_in', 'lax', options);
  const https = oidc.publicUrl.protocol === 'https:';
  const route = { schema: { hide: true }, errorHandler: showSignInPage };

  app.get(SIGN_IN, route, async (_request, reply) => {
    const { url, checks } = await provider.begin(new URL(CALLBACK, oidc.publicUrl));
    await checksCookie.set(reply, checks, { https, seconds: CHECKS_SECONDS });
    return reply.redirect(url.href, 302);
  });

  app.get(CALLBACK, route, async (request, reply) => {
    checksCookie.clear(reply);
    const opened = await checksCookie.open(request);
    if (!opened) throw new SignInProblem('expired', 'no cookie from a sign-in that started here');
    const response = new URL(CALLBACK, oidc.publicUrl);
    response.search = new URL(request.url, oidc.publicUrl).search;
    const { claims, idToken } = await provider.finish(response, opened.payload);
    const { person, grant } = personOf(claims, options);
    const { key, isNew } = await new PersonKeys(options.kubernetes).ensure(person);
    options.keys.written(key);
    const endsAt = clock.now().getTime() + PERSON_SESSION_SECONDS * 1000;
    await sessions.start(reply, key, { https, downloads: grant.downloads ?? 'key', endsAt });
    await signOut.remember(reply, { keyId: key.metadata.name, idToken }, { seconds: PERSON_SESSION_SECONDS });
    return sendPage(reply, {
      message: 'You are signed in.',
      url: '/dashboard/',
      seconds: isNew ? NEW_KEY_SECONDS : 0,
    });
  });
  return signOut;
}

/** Returns the first grant that matches a user's claims. */
export function grantFor(
  claims: Claims,
  { grants, allowUnverifiedEmail }: Pick<OidcConfig, 'grants' | 'allowUnverifiedEmail'>,
): Grant | undefined {
  const hasEmail = allowUnverifiedEmail || isEmailVerified(claims);
  return grants.find(({ claim, value }) => (claim !== 'email' || hasEmail) && hasValue(claims[claim], value));
}

/** Anyone can enter an unverified email address at the provider. Some providers send booleans as strings. */
function isEmailVerified({ email_verified: verified }: Claims): boolean {
  return verified === true || verified === 'true';
}

function hasValue(claim: unknown, value: string): boolean {
  const values: unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.some((each) => each === value || (typeof each === 'number' && String(each) === value));
}

/** Throws SignInProblem. */
function personOf(claims: Claims, { oidc, keys }: OidcRoutesOptions): { person: Person; grant: Grant } {
  const subject = { issuer: oidc.issuer.href, subject: claims.sub };
  const grant = grantFor(claims, oidc);
  const id = personKeyName({ ...subject, account: grant?.account ?? '' });
  if (!grant) throw new SignInProblem('no_access', `no grant matches the claims of ${id}`);
  const { account, scopes, type: mode = 'live' } = grant;
  if (!keys.loaded) throw new SignInProblem('unavailable', 'the API keys have not been read yet');
  if (keys.accountUid(account) === undefined) {
    throw new SignInProblem('no_account', `the namespace ${account} is not an account`);
  }
  return { person: { ...subject, name: nameOf(claims), account, scopes, mode }, grant };
}

function nameOf({ name, preferred_username: userName, email }: Claims): string {
  const texts = [name, userName, email].filter((text) => typeof text === 'string' && text.trim() !== '');
  return (texts as string[])[0] ?? 'Person';
}

/** Sends error responses, which users see in their browser. */
function showSignInPage(error: Error, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reason: SignInReason = error instanceof SignInProblem ? error.code : 'unavailable';
  const fields = error instanceof SignInProblem ? { reason, detail: error.message } : { reason, err: error };
  reply.log.warn(fields, 'sign-in with OpenID Connect failed');
  const url = `/dashboard/#problem=${reason}`;
  if (reason !== 'too_many') return reply.redirect(url, 302);
  void reply.code(503).header('retry-after', String(TIMEOUT_SECONDS));
  return sendPage(reply, { message: 'Too many users are signing in.', url, seconds: 0 });
}

interface Page {
  readonly message: string;
  /** URL that the page redirects to after `seconds`. */
  readonly url: string;
  readonly seconds: number;
}

/**
 * A page of this service opens the dashboard, because browsers do not send a strict cookie with a navigation that
 * another site started.
 */
function sendPage(reply: FastifyReply, { message, url, seconds }: Page): FastifyReply {
  return reply
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .header('referrer-policy', 'no-referrer')
    .type('text/html')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="${seconds}; url=${url}"><title>Trifold</title></head><body><p>${message} <a href="${url}">Open the dashboard</a></p></body></html>`,
    );
}
