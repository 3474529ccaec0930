import { createHash, randomBytes } from 'node:crypto';
import { API_KEY, SCOPES, type ApiKey } from '@trifold/crds';
import { isApiError } from '../../kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '../../kubernetes/client/client.ts';
import type { Clock } from '../../async/clock.ts';
import { FIRST_ACCOUNT } from './account.ts';
import { apiKeySpecOf, generateKey } from './key-material.ts';

/** Time for which a sign-in link is valid. */
export const LINK_MINUTES = 10;

/** Sessions started with a link act as this ApiKey. */
const LINK_KEY = { namespace: FIRST_ACCOUNT, name: 'dashboard' } as const;
const TOKEN_ANNOTATION = 'trifold.dev/sign-in-token-sha256';
const EXPIRES_ANNOTATION = 'trifold.dev/sign-in-expires-at';

/**
 * Links that sign in to the standalone service's dashboard: each works once, and only until the next one is created.
 * Annotations of the ApiKey `dashboard` contain the hash of the current token. Methods reject with KubernetesApiError.
 */
export class SignInLinks {
  readonly #keys: ResourceClient<ApiKey>;
  readonly #clock: Clock;

  constructor(kubernetes: KubernetesClient, clock: Clock) {
    this.#keys = kubernetes.resource<ApiKey>(API_KEY);
    this.#clock = clock;
  }

  /** Returns a new link to the service at `url`. Creates the ApiKey if it is missing. */
  async create(url: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(this.#clock.now().getTime() + LINK_MINUTES * 60_000);
    const annotations = { [TOKEN_ANNOTATION]: hashOf(token), [EXPIRES_ANNOTATION]: expiresAt.toISOString() };
    try {
      await this.#keys.patch(LINK_KEY, { metadata: { annotations } });
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
      await this.#keys.create({ metadata: { ...LINK_KEY, annotations }, spec: unknownKey() });
    }
    // Browsers do not send the fragment, so no log contains it.
    return `${url}/dashboard/#token=${token}`;
  }

  /** Returns the key for a link's token and invalidates the token; undefined if the token is invalid. */
  async redeem(token: string): Promise<ApiKey | undefined> {
    for (;;) {
      const key = await this.#keys.find(LINK_KEY.namespace, LINK_KEY.name);
      if (!key || !this.#isCurrent(key, token)) return undefined;
      const annotations = { [TOKEN_ANNOTATION]: null, [EXPIRES_ANNOTATION]: null };
      const { resourceVersion } = key.metadata;
      try {
        return await this.#keys.patch(LINK_KEY, { metadata: { resourceVersion, annotations } });
      } catch (error) {
        if (!isApiError(error, 'Conflict')) throw error;
      }
    }
  }

  #isCurrent({ metadata: { annotations = {} } }: ApiKey, token: string): boolean {
    const expiresAt = Date.parse(annotations[EXPIRES_ANNOTATION] ?? '');
    return annotations[TOKEN_ANNOTATION] === hashOf(token) && this.#clock.now().getTime() < expiresAt;
  }
}

/** Returns the spec of a key whose value is discarded: it exists only for its sessions. */
function unknownKey(): ApiKey['spec'] {
  return apiKeySpecOf(generateKey('live'), {
    name: 'Dashboard (this machine)',
    description: 'Sessions that began with a sign-in link. The key itself is not stored.',
    scopes: SCOPES,
  });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
