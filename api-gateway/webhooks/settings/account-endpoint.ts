import {
  ACCOUNT_ENDPOINT,
  SECRET_OVERLAP_MS,
  WEBHOOK_ENDPOINT,
  type WebhookEndpoint,
  type WebhookEndpointSpec,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import type { SettingsBody } from '../endpoint-body.ts';
import type { EndpointUrls } from '../endpoint-urls.ts';
import { CHANGED_ANNOTATION } from '../endpoint-view.ts';
import { newSecretName, type SecretMaker } from '../secret-maker.ts';

export interface EndpointOptions {
  readonly kubernetes: KubernetesClient;
  readonly clock: Clock;
  readonly urls: EndpointUrls;
  readonly secrets: SecretMaker;
}

/** Result of saving the account's endpoint. */
export interface SavedEndpoint {
  readonly endpoint: WebhookEndpoint;
  /** Whether the endpoint is new. */
  readonly created: boolean;
  /** The new secret, if one was created. */
  readonly secret: string | undefined;
}

/** Maximum attempts of a change when the endpoint changes in the meantime. */
const MOST_ROUNDS = 10;

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

  /** Rejects with ApiError `webhook_not_found`. */
  async get(account: string): Promise<WebhookEndpoint> {
    const endpoint = await this.#endpoints.find(account, ACCOUNT_ENDPOINT);
    if (!endpoint || endpoint.metadata.deletionTimestamp !== undefined) throw webhookNotFound();
    return endpoint;
  }

  /**
   * Creates or updates the endpoint. It keeps its secret unless a new one is requested. The endpoint is written before
   * the Secret, which it owns. A crash in between leaves an endpoint whose deliveries wait; the same request, sent
   * again, creates the missing secret (docs/adr/0019).
   */
  async save(account: string, body: SettingsBody): Promise<SavedEndpoint> {
    const wanted = this.#specOf(body);
    const rotation = body.rotate_secret === true ? new Rotation(this.#options) : undefined;
    for (let round = 1; ; round++) {
      try {
        const found = await this.#endpoints.find(account, ACCOUNT_ENDPOINT);
        return found ? await this.#replace(found, wanted, rotation) : await this.#create(account, wanted);
      } catch (error) {
        const isOvertaken =
          isApiError(error, 'Conflict') ||
          isApiError(error, 'AlreadyExists') ||
          isApiError(error, 'NotFound');
        if (!isOvertaken || round === MOST_ROUNDS) throw error;
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
    const endpoint = await this.#endpoints.create({
      metadata: { name: ACCOUNT_ENDPOINT, namespace: account, annotations: this.#changed() },
      spec: { ...wanted, secretRef: { name: newSecretName() } },
    });
    return { endpoint, created: true, secret: await this.#secretOf(endpoint) };
  }

  async #replace(
    found: WebhookEndpoint,
    wanted: Pick<WebhookEndpointSpec, 'url' | 'events'>,
    rotation: Rotation | undefined,
  ): Promise<SavedEndpoint> {
    if (found.metadata.deletionTimestamp !== undefined) {
      throw new ApiError('conflict', 'The settings are being deleted at this moment. Try again.');
    }
    const { events: _events, ...kept } = found.spec;
    const secrets = await rotation?.newSecret(found);
    const endpoint = await this.#endpoints.replace({
      ...found,
      metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, ...this.#changed() } },
      spec: { ...kept, ...wanted, ...secrets?.spec },
    });
    const secret = secrets ? secrets.secret : await this.#secretOf(endpoint);
    return { endpoint, created: false, secret };
  }

  /** Creates the secret if it does not exist: after a creation, or after a crash between endpoint and Secret. */
  async #secretOf(endpoint: WebhookEndpoint): Promise<string | undefined> {
    return this.#options.secrets.make(endpoint, endpoint.spec.secretRef.name);
  }

  #changed(): Record<string, string> {
    return { [CHANGED_ANNOTATION]: this.#options.clock.now().toISOString() };
  }
}

/** One rotation, across all its attempts: it leaves no Secret behind that no endpoint references. */
class Rotation {
  readonly #options: Pick<EndpointOptions, 'secrets' | 'clock'>;
  #made: { readonly owner: string; readonly name: string; readonly secret: string | undefined } | undefined;

  constructor(options: Pick<EndpointOptions, 'secrets' | 'clock'>) {
    this.#options = options;
  }

  /** Returns the new secret and the endpoint's references to it and to the previous one. */
  async newSecret(endpoint: WebhookEndpoint) {
    const { secrets, clock } = this.#options;
    const { uid } = endpoint.metadata;
    const before = endpoint.spec.secretRef.name;
    if (this.#made?.owner !== uid) {
      const name = newSecretName();
      const secret = await secrets.make(endpoint, name, before);
      this.#made = { owner: uid, name, secret };
    }
    const { name, secret } = this.#made;
    const until = new Date(clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    return { secret, spec: { secretRef: { name }, previousSecretRef: { name: before, until } } };
  }
}

function webhookNotFound(): ApiError {
  const message = 'The account has no webhook. POST /v1/webhooks/settings makes it.';
  return new ApiError('webhook_not_found', message);
}
