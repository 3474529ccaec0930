import type { FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY, type ApiKey } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { DownloadAccess } from '../config.ts';
import { unauthenticated } from '../server/errors/api-error.ts';
import { callerOf, type Caller } from '../server/auth/caller.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';
import { requireSameOrigin } from './same-origin.ts';
import { SealedCookie } from './sealed-cookie.ts';

/** Maximum time between two uses of a session, in seconds. Sessions from OpenID Connect end sooner (oidc/routes.ts). */
const SESSION_SECONDS = 8 * 3600;
/** A cookie is sealed again at this age, so that a session in use does not end. */
const RENEWED_AFTER_MS = 10 * 60_000;

/** Content of a session cookie: identifies a key but never contains it. Times are in milliseconds since 1970. */
interface Session {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** Uid of the ApiKey, which distinguishes it from a later key with the same name. */
  readonly keyUid: string;
  readonly signedInAt: number;
  /** Whether only https requests carry the cookie. */
  readonly https: boolean;
  /** Documents that the session may download. */
  readonly downloads: DownloadAccess;
  /** Time when the session ends even if it is in use; oidc/routes.ts sets it. @default never */
  readonly endsAt?: number;
}

/**
 * Users' browser sessions. A session acts as the key that signed in, and ends when the key does. Only the browser
 * stores it; the key's status contains the time of the last sign-out.
 */
export class Sessions {
  readonly #cookie: SealedCookie<Session>;
  readonly #resources: ResourceClient<ApiKey>;
  readonly #keys: KeyCache;
  readonly #clock: Clock;

  /** `secret`: shared by all gateways. */
  constructor(options: { secret: string; kubernetes: KubernetesClient; keys: KeyCache; clock: Clock }) {
    this.#cookie = new SealedCookie('trifold_session', 'strict', options);
    this.#resources = options.kubernetes.resource<ApiKey>(API_KEY);
    this.#keys = options.keys;
    this.#clock = options.clock;
  }

  /** Starts a session and sets its cookie. */
  async start(
    reply: FastifyReply,
    { metadata: { namespace: account = '', name: keyId, uid: keyUid } }: ApiKey,
    options: Pick<Session, 'https' | 'downloads' | 'endsAt'>,
  ): Promise<void> {
    await this.#setCookie(reply, { account, keyId, keyUid, signedInAt: this.#now(), ...options });
  }

  /** Whether the request has a session cookie, valid or not. */
  isIn(request: FastifyRequest): boolean {
    return this.#cookie.isIn(request);
  }

  /**
   * Returns the key of the request's session and the caller that it acts as, and renews the cookie. Throws ApiError 401
   * when another site sent the request or the session has ended, and 503 before the keys are loaded.
   */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<{ key: ApiKey; caller: Caller }> {
    requireSameOrigin(request);
    this.#keys.requireLoaded();
    const opened = await this.#cookie.open(request);
    const key = opened && this.#keys.get(opened.payload.account, opened.payload.keyId);
    if (!key || key.metadata.uid !== opened.payload.keyUid || isSignedOut(key, opened.payload)) {
      throw unauthenticated('session_ended', 'The session has ended. Sign in again.');
    }
    const { payload: session, sealedAt } = opened;
    if (this.#now() - sealedAt.getTime() > RENEWED_AFTER_MS) await this.#setCookie(reply, session);
    return { key, caller: { ...callerOf(key), downloads: session.downloads } };
  }

  /** Ends all of the key's sessions on all gateways, and deletes the cookie. */
  async end(reply: FastifyReply, { metadata: { namespace = '', name } }: ApiKey): Promise<void> {
    const status = { signedOutAt: this.#clock.now().toISOString() };
    this.#keys.written(await this.#resources.patchStatus({ namespace, name }, { status }));
    this.#cookie.clear(reply);
  }

  async #setCookie(reply: FastifyReply, session: Session): Promise<void> {
    const { https, endsAt = Infinity } = session;
    const seconds = Math.min(SESSION_SECONDS, Math.floor((endsAt - this.#now()) / 1000));
    await this.#cookie.set(reply, session, { https, seconds });
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

function isSignedOut({ status }: ApiKey, { signedInAt }: Session): boolean {
  return status?.signedOutAt !== undefined && signedInAt <= Date.parse(status.signedOutAt);
}
