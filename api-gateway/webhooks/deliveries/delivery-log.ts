import {
  isRetryAsked,
  RETRY_ANNOTATION,
  timeOfId,
  WEBHOOK_DELIVERY,
  type WebhookDelivery,
} from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { AccountCaches, type CacheLimits } from '../../server/fresh-list/account-caches.ts';
import { identityMetadata } from '@trifold/platform/kubernetes/cache/identity-metadata.ts';
import { FreshList } from '../../server/fresh-list/fresh-list.ts';
import type { Placed } from '../../server/pagination/page.ts';
import { createdAtOf } from './delivery-view.ts';

const NOUNS = { one: 'delivery log', many: 'delivery logs' };

export class DeliveryLog {
  readonly #caches: AccountCaches<FreshList<WebhookDelivery, WebhookDelivery>>;

  constructor(kubernetes: KubernetesClient, clock: Clock, logger: Logger, limits?: CacheLimits) {
    const client = kubernetes.resource<WebhookDelivery>(WEBHOOK_DELIVERY);
    const entryBytes = BOUNDS.listedDeliveries.limit.value;
    const kind = { client, noun: NOUNS.one, transform: listedDelivery, entryBytes, placed, clock, logger };
    this.#caches = new AccountCaches({
      nouns: NOUNS,
      clock,
      limits,
      open(account, onGrowth) {
        const list = new FreshList({ ...kind, account, onGrowth });
        list.start();
        return list;
      },
    });
  }

  /**
   * Returns all deliveries of an account in their reduced form, newest first. Read the array immediately, because later
   * events change it. Rejects with ApiError `unavailable` and KubernetesApiError.
   */
  async list(account: string): Promise<readonly Placed<WebhookDelivery>[]> {
    return this.#caches.get(account).list(account);
  }

  /** Records a write by this gateway, so that later lists include it. */
  wrote(delivery: WebhookDelivery): void {
    this.#caches.find(delivery.metadata.namespace ?? '')?.wrote(delivery);
  }

  async stop(): Promise<void> {
    await this.#caches.stop();
  }
}

/** Lists omit deliveries that are being deleted. */
function placed(delivery: WebhookDelivery): Placed<WebhookDelivery> | undefined {
  if (delivery.metadata.deletionTimestamp !== undefined) return undefined;
  const position = { createdAt: createdAtOf(delivery).getTime(), id: delivery.metadata.name };
  return { entry: delivery, position };
}

/**
 * Reduces a delivery to the fields that lists show and sort by and that a retry checks: an account may have hundreds of
 * thousands of deliveries.
 */
function listedDelivery(delivery: WebhookDelivery): WebhookDelivery {
  const { apiVersion, kind, metadata, spec, status } = delivery;
  const { id, type, createdAt } = spec.event;
  return {
    apiVersion,
    kind,
    metadata: {
      ...identityMetadata(metadata),
      // Evaluated here: the reduced status has no `retry`.
      ...(isRetryAsked(delivery) && { annotations: { [RETRY_ANNOTATION]: 'asked' } }),
    },
    spec: {
      // Most names contain the time.
      event: { id, type, createdAt: timeOfId(metadata.name) ? '' : createdAt, payload: '' },
      ...(spec.subject && { subject: { kind: '', name: spec.subject.name, uid: '' } }),
      ...(spec.endpointRef && { endpointRef: { name: spec.endpointRef.name, uid: '' } }),
    },
    ...(status && { status: listedStatus(status) }),
  };
}

function listedStatus(status: NonNullable<WebhookDelivery['status']>) {
  const { phase, attemptCount, nextAttemptAt, lastError } = status;
  return {
    ...(phase && { phase }),
    ...(attemptCount !== undefined && { attemptCount }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt }),
    // Its code shows whether a retry can succeed.
    ...(lastError && { lastError: { code: lastError.code, message: '' } }),
  };
}
