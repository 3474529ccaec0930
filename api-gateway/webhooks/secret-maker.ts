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

/** Returns a name that no other Secret has or had. */
export function newSecretName(): string {
  return `webhook-${randomUUID()}`;
}

/**
 * Creates the signing Secrets. They are immutable and owned by their endpoint, so that Kubernetes deletes them with it.
 * This service can neither read nor list them.
 */
export class SecretMaker {
  readonly #secrets: ResourceClient<Secret>;

  constructor(kubernetes: KubernetesClient) {
    this.#secrets = kubernetes.builtin<Secret>(SECRET);
  }

  /**
   * Generates a secret and stores it under `name`, with the name of the Secret that it replaces; the controller deletes
   * that one when its overlap ends. Returns undefined if a Secret of that name exists, and leaves it unchanged. Rejects
   * with KubernetesApiError.
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
