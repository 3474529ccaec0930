import {
  ACCOUNT_ENDPOINT,
  SECRET_OVERLAP_MS,
  WEBHOOK_ENDPOINT,
  type WebhookEndpoint,
  type WebhookEndpointSpec,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { SettingsBody } from '../endpoint-body.ts';
import type { EndpointUrls } from '../endpoint-urls.ts';
import { CHANGED_ANNOTATION } from '../endpoint-view.ts';
import type { SecretSealer } from '../secret-sealer.ts';

export interface EndpointOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly urls: EndpointUrls;
  readonly secrets: Pick<SecretSealer, 'newSecret'>;
}

/** Result of saving the account's endpoint. */
export interface SavedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Whether the endpoint is new. */
  readonly created: boolean;
  /** The new secret, if one was created. */
  readonly secret: string | undefined;
}

/** Maximum number of attempts to apply a change if the endpoint changes in the meantime. */
const MAX_ROUNDS = 10;

/**
 * The one endpoint of an account (interface, "Account webhooks"), read from the server and never from a cache. Every
 * method rejects with ApiError for caller errors and with KubernetesApiError otherwise.
 */
export class AccountEndpoint {
  readonly #endpoints: ResourceClient<WebhookEndpoint>;
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#endpoints = options.kubernetes.resource<WebhookEndpoint>(WEBHOOK_ENDPOINT);
  }

  async find(account: string): Promise<WebhookEndpoint | undefined> {
    const endpoint = await this.#endpoints.find(account, ACCOUNT_ENDPOINT);
    return endpoint?.metadata.deletionTimestamp === undefined ? endpoint : undefined;
  }

  /** Rejects with ApiError `webhook_not_found`. */
  async get(account: string): Promise<WebhookEndpoint> {
    const endpoint = await this.find(account);
    if (!endpoint) throw webhookNotFound();
    return endpoint;
  }

  /**
   * Creates or updates the endpoint in one write. The endpoint keeps its secret unless a new one is requested. If
   * concurrent requests create the endpoint, only one request gets the secret.
   */
  async save(account: string, body: SettingsBody): Promise<SavedEndpoint> {
    const wanted = this.#specOf(body);
    const rotates = body.rotate_secret === true;
    for (let round = 1; ; round++) {
      try {
        const found = await this.#endpoints.find(account, ACCOUNT_ENDPOINT);
        return found ? await this.#replace(found, wanted, rotates) : await this.#create(account, wanted);
      } catch (error) {
        const isOvertaken =
          isApiError(error, 'Conflict') ||
          isApiError(error, 'AlreadyExists') ||
          isApiError(error, 'NotFound');
        if (!isOvertaken || round === MAX_ROUNDS) throw error;
      }
    }
  }

  /** Deletes the endpoint, if it exists. Its pending deliveries fail. */
  async delete(account: string): Promise<void> {
    try {
      await this.#endpoints.delete(account, ACCOUNT_ENDPOINT);
    } catch (error) {
      if (!isApiError(error, 'NotFound')) throw error;
    }
  }

  #specOf({ url, events }: SettingsBody): Pick<WebhookEndpointSpec, 'url' | 'events'> {
    return { url: this.#options.urls.check(url, '/url'), ...(events && { events }) };
  }

  async #create(
    account: string,
    wanted: Pick<WebhookEndpointSpec, 'url' | 'events'>,
  ): Promise<SavedEndpoint> {
    const { secret, sealedSecret } = await this.#options.secrets.newSecret(account, ACCOUNT_ENDPOINT);
    const endpoint = await this.#endpoints.create({
      metadata: { name: ACCOUNT_ENDPOINT, namespace: account, annotations: this.#changed() },
      spec: { ...wanted, sealedSecret },
    });
    return { endpoint, created: true, secret };
  }

  async #replace(
    found: WebhookEndpoint,
    wanted: Pick<WebhookEndpointSpec, 'url' | 'events'>,
    rotates: boolean,
  ): Promise<SavedEndpoint> {
    if (found.metadata.deletionTimestamp !== undefined) {
      throw new ApiError('conflict', 'The webhook is being deleted. Try again in a moment.');
    }
    const { events: _events, ...kept } = found.spec;
    const rotated = rotates ? await this.#rotated(found) : undefined;
    const endpoint = await this.#endpoints.replace({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, ...this.#changed() } },
      spec: { ...(rotated?.spec ?? kept), ...wanted },
    });
    return { endpoint, created: false, secret: rotated?.secret };
  }

  /** Returns a new secret, and the spec with both it and the previous secret, which still signs for a while. */
  async #rotated({
    metadata: { namespace = '', name },
    spec,
  }: WebhookEndpoint): Promise<{ secret: string; spec: WebhookEndpointSpec }> {
    const { url, source, sealedSecret: before } = spec;
    const { secret, sealedSecret } = await this.#options.secrets.newSecret(namespace, name);
    const until = new Date(this.#options.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    return {
      secret,
      spec: {
        url,
        ...(source !== undefined && { source }),
        sealedSecret,
        previousSealedSecret: { ...before, until },
      },
    };
  }

  #changed(): Record<string, string> {
    return { [CHANGED_ANNOTATION]: this.#options.clock.now().toISOString() };
  }
}

function webhookNotFound(): ApiError {
  const message = 'The account has no webhook. Create it with POST /v1/webhooks/settings.';
  return new ApiError('webhook_not_found', message);
}
