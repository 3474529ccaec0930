import {
  isResourceName,
  ACCOUNT_ENDPOINT,
  MAX_ENDPOINTS,
  newId,
  WEBHOOK_ENDPOINT,
  type WebhookEndpoint,
} from '@trifold/crds';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { newestEntries, type Placed } from '../../server/pagination/page.ts';
import type { EndpointOptions } from '../settings/account-endpoint.ts';
import type { HookBody, HookView } from '../endpoint-body.ts';
import { hookViewOf, isHook } from '../endpoint-view.ts';

/** One endpoint is the account webhook. */
const MAX_HOOKS = MAX_ENDPOINTS - 1;

/** Far above the account's API limit, because kubectl can create more. */
const PAGE_SIZE = 500;

/**
 * Hook destinations (interface, "Hook destinations"), read from the server. Every method rejects with ApiError for
 * caller errors and with KubernetesApiError otherwise.
 */
export class Hooks {
  readonly #endpoints: ResourceClient<WebhookEndpoint>;
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#endpoints = options.kubernetes.resource<WebhookEndpoint>(WEBHOOK_ENDPOINT);
  }

  /** Creates a destination and its secret. Rejects with ApiError `too_many_hooks`. */
  async create(account: string, body: HookBody): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    const { clock, urls, secrets } = this.#options;
    const url = urls.check(body.url, '/url');
    if ((await this.#countOthers(account)) >= MAX_HOOKS) throw tooManyHooks();
    const name = newId('hook', clock.now());
    const { secret, sealedSecret } = await secrets.newSecret(account, name);
    const endpoint = await this.#endpoints.create({
      metadata: { name, namespace: account },
      spec: { url, ...(body.events && { events: body.events }), sealedSecret, source: body.source },
    });
    try {
      // Concurrent requests can all pass the first check, so each then counts the endpoints created before
      // it.
      const { resourceVersion } = endpoint.metadata;
      if ((await this.#countOthers(account, resourceVersion)) > MAX_HOOKS) throw tooManyHooks();
      return { endpoint, secret };
    } catch (error) {
      // The caller never receives its ID.
      await this.#endpoints.deleteExactly(endpoint).catch(() => undefined);
      throw error;
    }
  }

  /** Rejects with ApiError `hook_not_found`. */
  async get(account: string, id: string): Promise<WebhookEndpoint> {
    const hook = await this.#find(account, id);
    if (!hook) {
      const message = `There is no hook ${JSON.stringify(id)} in this account. List the hooks with GET /v1/hooks.`;
      throw new ApiError('hook_not_found', message);
    }
    return hook;
  }

  /** Deletes the destination, if it exists. Other endpoints, such as the account webhook, are kept. */
  async delete(account: string, id: string): Promise<void> {
    const hook = await this.#find(account, id);
    if (hook) await this.#endpoints.deleteExactly(hook);
  }

  /** Returns every hook of an account, newest first. */
  async list(account: string): Promise<Placed<HookView>[]> {
    const { items } = await this.#endpoints.list({ namespace: account, limit: PAGE_SIZE });
    return newestEntries(items.filter(isHook), hookViewOf);
  }

  async #find(account: string, id: string): Promise<WebhookEndpoint | undefined> {
    const found = isResourceName(id) ? await this.#endpoints.find(account, id) : undefined;
    return found && isHook(found) && found.metadata.deletionTimestamp === undefined ? found : undefined;
  }

  /**
   * Counts the endpoints other than the account webhook, including those created with kubectl, because all of them
   * count toward the limit. With a version, counts as of exactly that version: that is how the API server treats a
   * version combined with a limit.
   */
  async #countOthers(namespace: string, resourceVersion?: string): Promise<number> {
    const at = resourceVersion === undefined ? {} : { resourceVersion };
    const { items } = await this.#endpoints.list({ namespace, limit: PAGE_SIZE, ...at });
    return items.filter(isOther).length;
  }
}

function isOther({ metadata }: WebhookEndpoint): boolean {
  return metadata.name !== ACCOUNT_ENDPOINT && metadata.deletionTimestamp === undefined;
}

function tooManyHooks(): ApiError {
  const message = `The account has reached its limit of ${MAX_HOOKS} hooks. Delete a hook that you do not need.`;
  return new ApiError('too_many_hooks', message);
}
