import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY, type ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { unauthenticated } from '../server/auth/auth-errors.ts';
import { callerOf, type Caller } from '../server/auth/caller.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import type { ApiError } from '../server/errors/api-error.ts';
import { HostCookie } from './host-cookie.ts';
import { requireSameOrigin } from './same-origin.ts';
import { SessionSealer, type OpenedSession, type Session } from './session-sealer.ts';

export const SESSION_COOKIE = new HostCookie('trifold_session', 'strict');

/** A cookie is sealed again when it is this old, so that a session that is used does not end. */
const RENEWED_AFTER_MS = 10 * 60_000;

export interface SessionsOptions {
  /** Shared by all gateways. */
  readonly secret: string;
  readonly kubernetes: KubernetesClient;
  readonly keys: KeyCache;
  readonly clock: Clock;
}

/**
 * Sessions of people in a browser. A session acts as the key that signed in, and ends with it. Only the browser stores
 * it; the key's status holds the time of the last sign-out.
 */
export class Sessions {
  readonly #sealer: SessionSealer;
  readonly #resources: ResourceClient<ApiKey>;
  readonly #keys: KeyCache;
  readonly #clock: Clock;

  constructor({ secret, kubernetes, keys, clock }: SessionsOptions) {
    this.#sealer = new SessionSealer(secret, clock);
    this.#resources = kubernetes.resource<ApiKey>(API_KEY);
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Starts a session and sets its cookie. */
  async start(
    reply: FastifyReply,
    key: ApiKey,
    options: Pick<Session, 'https' | 'downloads' | 'endsAt'>,
  ): Promise<void> {
    const { namespace: account = '', name: keyId, uid: keyUid } = key.metadata;
    await this.#setCookie(reply, { account, keyId, keyUid, signedInAt: this.#clock.now(), ...options });
  }

  /**
   * Returns the key of the request's session, and renews the cookie. Throws ApiError 401 when another site sent the
   * request, or when the session ended.
   */
  async apiKey(request: FastifyRequest, reply: FastifyReply): Promise<ApiKey> {
    return (await this.#open(request, reply)).key;
  }

  /** As `apiKey`. */
  async callerOf(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { key, session } = await this.#open(request, reply);
    return { ...callerOf(key), downloads: session.downloads };
  }

  /** Ends every session of the key at all gateways, and deletes the cookie. */
  async end(reply: FastifyReply, { metadata: { namespace = '', name } }: ApiKey): Promise<void> {
    const status = { signedOutAt: this.#clock.now().toISOString() };
    this.#keys.written(await this.#resources.patchStatus({ namespace, name }, { status }));
    SESSION_COOKIE.clear(reply);
  }

  async #open(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ readonly key: ApiKey; readonly session: OpenedSession }> {
    requireSameOrigin(request);
    const session = await this.#sealer.open(SESSION_COOKIE.read(request) ?? '');
    const key = session && this.#keys.get(session.account, session.keyId);
    if (!key || key.metadata.uid !== session.keyUid || isSignedOut(key, session)) {
      throw sessionEnded();
    }
    if (this.#clock.now().getTime() - session.sealedAt.getTime() > RENEWED_AFTER_MS) {
      await this.#setCookie(reply, session);
    }
    return { key, session };
  }

  async #setCookie(reply: FastifyReply, session: Session): Promise<void> {
    const { sealed, seconds } = await this.#sealer.seal(session);
    SESSION_COOKIE.set(reply, sealed, { https: session.https, seconds });
  }
}

function sessionEnded(): ApiError {
  return unauthenticated('session_ended', 'The session ended. Sign in again.');
}

function isSignedOut({ status }: ApiKey, { signedInAt }: Session): boolean {
  return status?.signedOutAt !== undefined && signedInAt.getTime() <= Date.parse(status.signedOutAt);
}
