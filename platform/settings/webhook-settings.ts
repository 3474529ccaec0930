import type { Settings } from './setting.ts';
import { addressRange, namespacedName } from './setting-forms.ts';
import { duration, flag, listOf, secret, wholeNumber } from './setting-types.ts';
import { DEFAULT_RETRY_SCHEDULE, retrySchedule } from './webhook-retry-schedule.ts';

/** Maximum number of in-flight attempts to a working endpoint. */
export const MAX_ENDPOINT_ATTEMPTS: number = 8;

/** Webhook settings: addresses, keys, concurrency, retention of deliveries. */
export const WEBHOOKS = {
  TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: "Non-public address ranges that webhooks may reach. For receivers in the same cluster, use the cluster's Service CIDR, and allow the controller to reach their pods in your network policies (`networkPolicy.webhooksAlsoTo` in the chart).",
    list: '`10.96.0.0/12,fd00::/8`',
    chart: {
      value: 'webhooks.allowAddresses',
      in: ['gateway', 'controller'],
    },
  },
  TRIFOLD_WEBHOOK_ALLOW_HTTP: {
    type: flag,
    default: 'false',
    doc: 'Also accept and call plain HTTP URLs. Use this only for development.',
    chart: { value: 'webhooks.allowHttp', in: ['gateway', 'controller'] },
  },
  TRIFOLD_WEBHOOK_KEY: {
    type: secret,
    common: true,
    shown: 'required in a cluster; the standalone process generates it',
    doc: 'Secret of at least 32 characters from which controllers derive the private key that decrypts webhook signing secrets; never printed. All controllers must have the same value. With a different key, endpoints are `SecretNotReadable` unless `TRIFOLD_WEBHOOK_PREVIOUS_KEY` contains the previous key ([rotation](run/upgrade.md#rotate-the-webhook-key)).',
    computedFrom: 'webhooks.existingSecret',
  },
  TRIFOLD_WEBHOOK_PREVIOUS_KEY: {
    type: secret,
    doc: 'The previous `TRIFOLD_WEBHOOK_KEY` during a rotation. Controllers decrypt existing secrets with it and encrypt them again with the new key.',
    computedFrom: 'webhooks.previousSecretKey',
  },
  TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: {
    type: namespacedName,
    default: 'default/trifold-webhook-key',
    doc: 'Namespace and name of the ConfigMap where controllers publish the public key and gateways read it.',
  },
  TRIFOLD_WEBHOOK_RETRY_SCHEDULE: {
    type: retrySchedule,
    default: DEFAULT_RETRY_SCHEDULE,
    doc: 'Delays before each delivery attempt (at most 16). The first is measured from the creation of the delivery, the others from the previous attempt. A receiver can ask for a longer delay, of up to 24h, with `Retry-After`.',
    chart: { value: 'webhooks.retrySchedule', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_CONCURRENCY: {
    type: wholeNumber(2, 4096),
    default: '512',
    doc: `Maximum number of in-flight webhook attempts. One account may use a quarter of this number, but always enough for one endpoint. The maximum for one endpoint is ${MAX_ENDPOINT_ATTEMPTS}; after a failed attempt or an idle period, it is two until the next success. For an account's callbacks, each host and port counts as one endpoint.`,
    chart: { value: 'webhooks.concurrency', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_KEEP_DELIVERED: {
    type: duration('0s', '720h'),
    default: '24h',
    doc: 'Time for which a delivery is kept after it succeeds, but at least as long as its job or batch. Beyond the [limits](run/limits.md), the oldest are deleted earlier.',
    chart: { value: 'webhooks.keepDelivered', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_KEEP_FAILED: {
    type: duration('0s', '2160h'),
    default: '168h',
    doc: 'Time for which a delivery is kept after its final failure, but at least as long as its job or batch. Beyond the [limits](run/limits.md), the oldest are deleted earlier.',
    chart: { value: 'webhooks.keepFailed', in: ['controller'] },
  },
} as const satisfies Settings;
