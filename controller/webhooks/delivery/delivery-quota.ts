import type { WebhookDelivery } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { SpoolLimits } from '../config.ts';
import { accountValue, PENDING } from './delivery-indexes.ts';

export interface DeliveryQuotaDependencies {
  readonly deliveries: Pick<Informer<WebhookDelivery>, 'countByIndex'>;
  readonly limits: SpoolLimits;
}

/** Where deliveries go: a destination of an account, as in `destinationOf`. */
export interface DeliveryAddress {
  readonly account: string;
  readonly destination: string;
}

/**
 * Returns how many more deliveries to a destination may be pending. Beyond the limit of the account, each destination has
 * a small share, so that it does not wait for the dead ones.
 */
export function pendingQuota(
  d: DeliveryQuotaDependencies,
  { account, destination }: DeliveryAddress,
): number {
  const { maxPending, maxOfAccount, share } = d.limits;
  const pending = d.deliveries.countByIndex(PENDING, destination);
  const left = maxOfAccount - d.deliveries.countByIndex(PENDING, accountValue(account));
  return Math.min(maxPending - pending, Math.max(left, share - pending));
}
