import { NAMESPACE, type SealedSecret, type WebhookEndpoint, type WebhookEndpointSpec } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { SecretOwner, WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { LRUCache } from 'lru-cache';

const MAX_REMEMBERED = 5_000;

/** Nothing can be signed for the endpoint. The code is the reason in its Ready condition. */
export class EndpointSecretError extends TrifoldError<'SecretNotReadable'> {}

/** The signing secrets of endpoints. */
export class EndpointSecrets {
  readonly #keys: WebhookKeys;
  readonly #kubernetes: KubernetesClient;
  readonly #clock: Clock;
  /** Secrets by endpoint and ciphertext. */
  readonly #opened = new LRUCache<string, string>({ max: MAX_REMEMBERED });

  constructor(keys: WebhookKeys, kubernetes: KubernetesClient, clock: Clock) {
    this.#keys = keys;
    this.#kubernetes = kubernetes;
    this.#clock = clock;
  }

  /** Rejects with EndpointSecretError, or with KubernetesApiError when the account cannot be read. */
  async current(endpoint: WebhookEndpoint): Promise<string> {
    const { sealedSecret } = endpoint.spec;
    const secret = await this.#open(endpoint, sealedSecret);
    if (secret !== undefined) return secret;
    throw notReadable(sealedSecret, await this.#keys.has(sealedSecret.keyId));
  }

  /** Returns the secret from before the rotation while it is still in use, if it can be read. */
  async previous(endpoint: WebhookEndpoint): Promise<string | undefined> {
    const { previousSealedSecret: before } = endpoint.spec;
    if (!before || this.#clock.now().getTime() >= Date.parse(before.until)) return undefined;
    return this.#open(endpoint, before);
  }

  /**
   * Returns the spec with its secrets sealed for the newest key, without a previous secret that no longer signs;
   * undefined if nothing needs to change or the current secret cannot be read.
   */
  async resealed(endpoint: WebhookEndpoint): Promise<WebhookEndpointSpec | undefined> {
    const { sealedSecret, previousSealedSecret: before, ...spec } = endpoint.spec;
    const key = await this.#keys.sealingKey();
    const isNewest = [sealedSecret, before].every((sealed) => !sealed || sealed.keyId === key?.id);
    if (!key || isNewest) return undefined;
    const secret = await this.#open(endpoint, sealedSecret);
    if (secret === undefined) return undefined;
    const owner = await this.#ownerOf(endpoint);
    const previous = await this.previous(endpoint);
    return {
      ...spec,
      sealedSecret: await key.seal(secret, owner),
      ...(before &&
        previous !== undefined && {
          previousSealedSecret: { ...(await key.seal(previous, owner)), until: before.until },
        }),
    };
  }

  async #open(endpoint: WebhookEndpoint, sealed: SealedSecret): Promise<string | undefined> {
    const { keyId, ciphertext } = sealed;
    const name = `${endpoint.metadata.uid} ${keyId} ${ciphertext}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    if (!(await this.#keys.has(keyId))) return undefined;
    const secret = await this.#keys.open(sealed, await this.#ownerOf(endpoint));
    if (secret === undefined) return undefined;
    this.#opened.set(name, secret);
    return secret;
  }

  async #ownerOf({ metadata: { namespace, name } }: WebhookEndpoint): Promise<SecretOwner> {
    const account = await this.#kubernetes.builtin(NAMESPACE).get(undefined, namespace ?? 'default');
    return { accountUid: account.metadata.uid, endpoint: name };
  }
}

function notReadable({ keyId }: SealedSecret, isKnown: boolean): EndpointSecretError {
  const reason = isKnown
    ? 'the secret was changed, or encrypted for another endpoint or account'
    : `the secret is encrypted for the key ${keyId}, which the controller does not have`;
  const fix =
    'set a new secret with `rotate_secret` in POST /v1/webhooks/settings or with `trifold webhooks seal`';
  const message = `${reason}: ${fix}`;
  return new EndpointSecretError('SecretNotReadable', message, { retryable: true });
}
