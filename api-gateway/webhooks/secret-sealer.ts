import { NAMESPACE, type KubernetesObject, type SealedSecret } from '@trifold/crds';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { findPublishedKey, type PublishedKeyName } from '@trifold/platform/records/webhooks/published-key.ts';
import { generateSecret } from '@trifold/platform/records/webhooks/signature.ts';
import { unavailable } from '../server/errors/api-error.ts';

/** A new signing secret: in plain text, to be shown once, and sealed, to be stored. */
export interface NewSecret {
  readonly secret: string;
  readonly sealedSecret: SealedSecret;
}

/** Generates signing secrets and seals them for the controller. This service cannot read what it has sealed. */
export class SecretSealer {
  readonly #kubernetes: KubernetesClient;
  readonly #publishedKey: PublishedKeyName;

  constructor(kubernetes: KubernetesClient, publishedKey: PublishedKeyName) {
    this.#kubernetes = kubernetes;
    this.#publishedKey = publishedKey;
  }

  /**
   * Returns a new secret for the endpoint with this name. Rejects with KubernetesApiError, and with ApiError
   * `unavailable` until a controller has published its key.
   */
  async newSecret(account: string, endpoint: string): Promise<NewSecret> {
    const namespaces = this.#kubernetes.builtin<KubernetesObject>(NAMESPACE);
    const [key, { metadata }] = await Promise.all([
      findPublishedKey(this.#kubernetes, this.#publishedKey),
      namespaces.get(undefined, account),
    ]);
    if (!key)
      throw unavailable(
        'No controller has published the public key for webhook secrets yet. Try again in a moment.',
      );
    const secret = generateSecret();
    return { secret, sealedSecret: await key.seal(secret, { accountUid: metadata.uid, endpoint }) };
  }
}
