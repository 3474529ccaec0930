import { QUOTAS } from './quota-settings.ts';
import { PRICES } from './price-settings.ts';
import { REQUEST_BODIES } from './request-body-settings.ts';
import type { Settings } from './setting.ts';
import { rateLimit } from './setting-forms.ts';
import { duration, flag, oneOf } from './setting-types.ts';
import { SIGN_IN } from './sign-in-settings.ts';

/** Gateway settings, in the order used in the docs. */
export const GATEWAY = {
  ...REQUEST_BODIES,
  ...QUOTAS,
  TRIFOLD_SYNC_WAIT: {
    type: duration('0s', '10m'),
    common: true,
    default: '30s',
    doc: 'Time that a synchronous request waits before the gateway returns 202 `processing`.',
    chart: { value: 'gateway.config.syncWait' },
  },
  TRIFOLD_DOWNLOAD_ACCESS: {
    type: oneOf('key', 'account'),
    default: 'key',
    doc: 'Keys that may download a document: `key` (only the key that generated it) or `account` (any key in its account). Documents created with kubectl may be downloaded by any key in their account.',
    chart: { value: 'gateway.config.downloadAccess' },
  },
  ...SIGN_IN,
  TRIFOLD_RATE_LIMIT: {
    type: rateLimit,
    common: true,
    default: 'off',
    doc: 'Rate limit for each API key, such as `600/1m`: the number of requests and the length of the window (whole seconds, at most 24h). The window begins with the first request. Requests beyond the limit return 429. `off`: no limit. In a cluster, gateways count in Redis; without `TRIFOLD_REDIS_URL` each gateway counts separately.',
    chart: { value: 'gateway.config.rateLimit' },
  },
  ...PRICES,
  TRIFOLD_LOG_REQUESTS: {
    type: flag,
    default: 'false',
    doc: 'Log one line per request.',
    chart: { value: 'gateway.config.logRequests' },
  },
  TRIFOLD_KEEP_ALIVE: {
    type: duration('1s', '24h'),
    default: '620s',
    doc: 'Time for which an idle connection is kept open. It must be longer than the idle timeout of the load balancer or proxy in front of the gateway ([table](run/ingress.md#idle-connections)). Otherwise the gateway may close a connection that the balancer is about to use, and the balancer returns 502.',
    chart: { value: 'gateway.config.keepAlive' },
  },
  TRIFOLD_CLOSE_WAIT: {
    type: duration('0s', '10m'),
    default: '6s',
    doc: 'Time for which in-flight requests may continue after a stop request. The standalone process always exits within 10 s.',
    chart: {
      value: 'gateway.config.closeWait',
      default: '35s',
      note: "The pod's grace period is derived from this value and `closeDelay`.",
    },
  },
} as const satisfies Settings;
