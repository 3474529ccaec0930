import type { Settings } from './setting.ts';
import type { SettingType } from './setting-types.ts';
import { CONTROLLER } from './controller-settings.ts';
import { GATEWAY } from './gateway-settings.ts';
import { OBJECT_STORE } from './object-store-settings.ts';
import { PROCESS, PROCESS_OF_A_CLUSTER } from './process-settings.ts';
import { RENDERING, RENDERER } from './rendering-settings.ts';
import { RENDER_QUEUE } from './redis-settings.ts';
import { WEBHOOKS } from './webhook-settings.ts';

/** In the order used in the docs. */
export const SETTING_SECTIONS: readonly {
  readonly title: string;
  readonly note: string;
  readonly settings: Settings;
}[] = [
  { title: 'General', note: '', settings: PROCESS },
  {
    title: 'In a cluster',
    note: "`KUBECONFIG` names the API server; the default is the pod's service account. Renderers do not use the API server.",
    settings: PROCESS_OF_A_CLUSTER,
  },
  { title: 'Gateway', note: '', settings: GATEWAY },
  { title: 'Controller', note: '', settings: { ...RENDERING, ...CONTROLLER } },
  {
    title: 'Webhooks',
    note: 'Settings of the controller. `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES`, `TRIFOLD_WEBHOOK_ALLOW_HTTP` and `TRIFOLD_WEBHOOK_KEY_CONFIG_MAP` also apply to the gateway.',
    settings: WEBHOOKS,
  },
  { title: 'Renderer', note: '', settings: RENDERER },
  {
    title: 'Object store (S3)',
    note: 'For the gateway and the controller in a cluster; renderers get presigned URLs. The standalone process keeps everything in `TRIFOLD_DATA`.',
    settings: OBJECT_STORE,
  },
  {
    title: 'Render queue (Redis)',
    note: 'For the controller and the renderer in a cluster, and for gateways with `TRIFOLD_RATE_LIMIT` set. The standalone process keeps its queue in memory. Requires Redis 6.2 or newer with `maxmemory-policy noeviction`: a single server, Sentinel or a Redis Cluster.',
    settings: RENDER_QUEUE,
  },
];

/** By name. */
export const SETTINGS = {
  ...PROCESS,
  ...PROCESS_OF_A_CLUSTER,
  ...GATEWAY,
  ...RENDERING,
  ...CONTROLLER,
  ...WEBHOOKS,
  ...RENDERER,
  ...OBJECT_STORE,
  ...RENDER_QUEUE,
} as const;

/** Name of an environment variable that is a setting. */
export type SettingName = keyof typeof SETTINGS;

type Entry<Name extends SettingName> = (typeof SETTINGS)[Name];
type Parsed<Name extends SettingName> = Entry<Name>['type'] extends SettingType<infer T> ? T : never;

/** A setting's value once it is read. */
export type SettingValue<Name extends SettingName> =
  Entry<Name> extends
    | { readonly default: string }
    | { readonly fallback: unknown }
    | { readonly required: string }
    ? Parsed<Name>
    : Parsed<Name> | undefined;
