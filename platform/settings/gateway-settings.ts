import { DOCUMENT_FORMATS, FORMATS, type DocumentFormat } from '@trifold/crds/schema/document-format.ts';
import { availableParallelism } from 'node:os';
import type { ChartSetting, Settings } from './setting.ts';
import {
  currencyCode,
  decimal,
  json,
  oidcScopes,
  rateLimit,
  secureOrigin,
  secureUrl,
} from './setting-forms.ts';
import { anyText, byteSize, duration, flag, oneOf, secret, wholeNumber } from './setting-types.ts';

/** Name of the setting with the price of a document in this format. */
export const priceSetting = <Format extends DocumentFormat>(format: Format) =>
  `TRIFOLD_PRICE_${format.toUpperCase() as Uppercase<Format>}` as const;

interface PriceSetting {
  readonly type: typeof decimal;
  readonly doc: string;
  readonly chart: ChartSetting;
}

const PRICES_OF_FORMATS = Object.fromEntries(
  DOCUMENT_FORMATS.map((format) => [
    priceSetting(format),
    {
      type: decimal,
      doc: `Price of one ${FORMATS[format].billedAs} document generated with a live key.`,
      chart: { value: `gateway.config.prices.${format}` },
    },
  ]),
) as Readonly<Record<`TRIFOLD_PRICE_${Uppercase<DocumentFormat>}`, PriceSetting>>;

/** Settings of the gateway: limits of requests and accounts, sign-in, prices. */
export const GATEWAY = {
  TRIFOLD_MAX_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '2Mi',
    doc: 'Maximum size of a request body, and of the data for a batch item.',
    chart: { value: 'gateway.config.maxBody' },
  },
  TRIFOLD_MAX_BATCH_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '16Mi',
    doc: 'Maximum size of a batch request body. Parsing stops after 5 s, and the request then returns 413. Bodies of more than about `64Mi` may take longer than that.',
    chart: { value: 'gateway.config.maxBatchBody' },
  },
  TRIFOLD_BODY_BUDGET: {
    type: byteSize('1Ki', '64Gi'),
    shown: '`128Mi`, or the largest allowed body if that is larger',
    doc: 'Maximum total size of the bodies of all in-flight requests at a gateway; it must be at least the size of the largest allowed body. Requests that would exceed it return 503. One API key may use half of it, and always enough for the largest allowed body; beyond that, its requests return 429. Bodies of up to 64 KiB may exceed the maximum by a quarter. A body counts until the gateway has responded to its request.',
    chart: {
      value: 'gateway.config.bodyBudget',
      note: 'Empty: 128Mi, or the largest allowed body if that is larger. Parsing needs several times as much memory, so leave room below the memory limit.',
    },
  },
  TRIFOLD_MIN_UPLOAD_RATE: {
    type: byteSize('0', '64Mi'),
    default: '32Ki',
    doc: 'Minimum average upload rate of a body, in bytes per second, after ten seconds; slower uploads return 408. `0`: no minimum. Every request has a total time limit of 60 s.',
    chart: { value: 'gateway.config.minUploadRate' },
  },
  TRIFOLD_MAX_EMAIL: {
    type: byteSize('1Ki', '16Mi'),
    default: '2Mi',
    doc: 'Maximum size of each field of a compiled email: HTML, text, subject, preview text.',
    chart: { value: 'gateway.config.maxEmail' },
  },
  TRIFOLD_EMAIL_TIMEOUT: {
    type: duration('10ms', '1m'),
    default: '2s',
    doc: 'Time limit for compiling one email.',
    chart: { value: 'gateway.config.emailTimeout' },
  },
  TRIFOLD_EMAIL_WORKERS: {
    type: wholeNumber(1, 64),
    fallback: Math.min(2, availableParallelism()),
    shown: '`2` (`1` on one core)',
    doc: 'Maximum number of processes that compile emails; they start with the first email.',
    chart: {
      value: 'gateway.config.emailWorkers',
      default: 2,
      note: 'Each can use 128Mi of the memory limit.',
    },
  },
  TRIFOLD_MAX_UNFINISHED_DOCUMENTS: {
    type: wholeNumber(0, 1_000_000),
    common: true,
    default: '10000',
    doc: 'Maximum number of unfinished documents per account, including batch items. Requests that would exceed it return 429. `0`: no limit. Requires Kubernetes 1.31 or newer (field selectors of custom resources) and has no effect on older versions.',
    chart: { value: 'gateway.config.maxUnfinishedDocuments' },
  },
  TRIFOLD_MAX_TEMPLATES: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of templates per account. Once it is reached, `POST /v1/templates` returns 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxTemplates' },
  },
  TRIFOLD_MAX_KEYS: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of API keys per account. Once it is reached, `POST /v1/api-keys` returns 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxKeys' },
  },
  TRIFOLD_MAX_STORED_BYTES: {
    type: byteSize('0', '1048576Gi'),
    common: true,
    default: '50Gi',
    doc: 'Maximum total size of the objects that an account has in the object store: documents, data, records and template versions. Once it is reached, requests that store data return 507. The controller counts every `TRIFOLD_COLLECTION_INTERVAL`, so an account can exceed the limit by what it stores in the meantime. `0`: no limit.',
    chart: { value: 'gateway.config.maxStoredBytes' },
  },
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
    doc: 'Keys that may download a document: `key` (only the key that generated it) or `account` (any key in its account).',
    chart: { value: 'gateway.config.downloadAccess' },
  },
  TRIFOLD_SESSION_SECRET: {
    type: secret,
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters that encrypts dashboard sessions; never printed. All gateways must have the same value. Without it, sign-in is disabled. Changing it ends all sessions.',
    computedFrom: 'dashboard.existingSecret',
  },
  TRIFOLD_OIDC_ISSUER: {
    type: secureUrl,
    doc: 'HTTPS URL of the OpenID Connect issuer with which users sign in to the dashboard. It serves `/.well-known/openid-configuration`. If you set it, the settings for the client, the grants, the public URL and the session secret are required.',
    chart: { value: 'dashboard.oidc.issuer', note: 'Empty: users sign in with API keys only.' },
  },
  TRIFOLD_OIDC_CLIENT_ID: {
    type: anyText,
    doc: 'Client id at the identity provider.',
    chart: { value: 'dashboard.oidc.clientId' },
  },
  TRIFOLD_OIDC_CLIENT_SECRET: {
    type: anyText,
    doc: 'Client secret; never printed.',
    computedFrom: 'dashboard.oidc.existingSecret',
  },
  TRIFOLD_OIDC_SCOPES: {
    type: oidcScopes,
    default: 'openid profile email',
    doc: 'Scopes to request from the identity provider, separated by spaces. Some providers require an additional scope for groups.',
    chart: { value: 'dashboard.oidc.scopes' },
  },
  TRIFOLD_OIDC_GRANTS: {
    type: json,
    doc: 'Permissions for users who sign in, as a JSON list of objects with the fields `claim`, `value`, `account`, `scopes` and optionally `type` and `downloads` ([setup](run/oidc.md)). The first matching grant applies; users without a grant cannot sign in.',
    computedFrom: 'dashboard.oidc.grants',
  },
  TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {
    type: flag,
    default: 'false',
    doc: '`true`: grants with the `email` claim also match addresses that the identity provider has not verified (`email_verified`). Set it only if users cannot choose their address at the provider.',
    chart: { value: 'dashboard.oidc.allowUnverifiedEmail' },
  },
  TRIFOLD_PUBLIC_URL: {
    type: secureOrigin,
    doc: 'Address of the service as users see it in the browser, for sign-in with OpenID Connect, such as `https://docs.example.com`. The redirect URI of the client is `/dashboard/sign-in/callback` at this address, and its post-logout redirect URI is `/dashboard/`.',
    chart: { value: 'dashboard.oidc.publicUrl' },
  },
  TRIFOLD_RATE_LIMIT: {
    type: rateLimit,
    common: true,
    default: 'off',
    doc: 'Rate limit for each API key, such as `600/1m`: the number of requests, and the length of the window, which begins with the first request (whole seconds, at most 24h). Requests beyond it return 429. `off`: no limit. In a cluster, gateways count in Redis; without `TRIFOLD_REDIS_URL` each gateway counts separately.',
    chart: { value: 'gateway.config.rateLimit' },
  },
  TRIFOLD_PRICE_CURRENCY: {
    type: currencyCode,
    doc: 'Currency for prices, as a three-letter code such as `EUR`; required when a price is set. Prices are numbers such as `0.015`, with at most eight digits after the point. Without a price, `GET /v1/billing` shows units but no amounts.',
    chart: { value: 'gateway.config.prices.currency' },
  },
  ...PRICES_OF_FORMATS,
  TRIFOLD_PRICE_EMAIL: {
    type: decimal,
    doc: 'Price of an email compiled with a live key.',
    chart: { value: 'gateway.config.prices.email' },
  },
  TRIFOLD_LOG_REQUESTS: {
    type: flag,
    default: 'false',
    doc: 'Log one line per request.',
    chart: { value: 'gateway.config.logRequests' },
  },
  TRIFOLD_CLOSE_WAIT: {
    type: duration('0s', '10m'),
    default: '6s',
    doc: 'Time for which in-flight requests may continue after a stop request. The standalone process always exits within 10 s.',
    chart: {
      value: 'gateway.config.closeWait',
      default: '35s',
      note: "The pod's grace period follows from both.",
    },
  },
} as const satisfies Settings;
