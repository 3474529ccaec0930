import { randomBytes, randomUUID } from 'node:crypto';
import {
  REPLACES_ANNOTATION,
  SECRET,
  WEBHOOK_SECRET_KEY,
  WEBHOOK_SECRET_TYPE,
  type Secret,
  type WebhookEndpoint,
} from '@trifold/crds';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';

const SECRET_BYTES = 32;

/** A name for a Secret that no other has, or had. */
export function newSecretName(): string {
  return `webhook-${randomUUID()}`;
}

/**
 * Makes the Secrets that sign. They are immutable and owned by their endpoint, so that they go with it; this service
 * can neither read nor list them.
 */
export class SecretMaker {
  readonly #secrets: ResourceClient<Secret>;

  constructor(kubernetes: KubernetesClient) {
    this.#secrets = kubernetes.builtin<Secret>(SECRET);
  }

  /**
   * Draws a secret and keeps it under that name, with the name of the one that it replaces, which the controller
   * deletes when its time is over. Undefined when there is one of that name, which stays as it is. Rejects with
   * KubernetesApiError.
   */
  async make(
    { apiVersion, kind, metadata }: WebhookEndpoint,
    name: string,
    replaces?: string,
  ): Promise<string | undefined> {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid };
    try {
      await this.#secrets.create({
        metadata: {
          name,
          ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
          labels: { 'app.kubernetes.io/managed-by': 'trifold' },
          ...(replaces !== undefined && { annotations: { [REPLACES_ANNOTATION]: replaces } }),
          ownerReferences: [owner],
        },
        type: WEBHOOK_SECRET_TYPE,
        immutable: true,
        data: { [WEBHOOK_SECRET_KEY]: Buffer.from(secret).toString('base64') },
      });
      return secret;
    } catch (error) {
      if (isApiError(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }
}
