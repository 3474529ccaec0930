/* oxlint-disable max-lines -- one table that is read from top to bottom, one entry for each setting */
import { availableParallelism } from 'node:os';
import { DOCUMENT_FORMATS, FORMATS, type DocumentFormat } from '@trifold/crds/schema/document-format.ts';
import { redisAddress, REDIS_URL_FORM } from './redis-address.ts';
import {
  addressRange,
  allowedHost,
  apiKey,
  bucketName,
  currencyCode,
  decimal,
  dnsLabel,
  hostName,
  json,
  namespacedName,
  oidcScopes,
  rateLimit,
  redisPrefix,
  regionName,
  rendererAddress,
  retrySchedule,
  secureOrigin,
  secureUrl,
  storeCredential,
  storeEndpoint,
} from './setting-forms.ts';
import {
  anyText,
  byteSize,
  duration,
  flag,
  listOf,
  oneOf,
  printableSecret,
  secret,
  secretWithPredecessor,
  wholeNumber,
  type SettingType,
} from './setting-types.ts';

/**
 * A setting of the processes, declared once. `readSettings` parses and types its value; `npm run generate` writes
 * docs/configuration.md, and for a setting with a `chart` its value, JSON schema and environment variable.
 */
export interface Setting {
  readonly type: SettingType<unknown>;
  /** Value of an unset variable, in the form that a user would write. */
  readonly default?: string;
  /** Value of an unset variable that depends on the machine, or that no one can write. */
  readonly fallback?: unknown;
  /** The variable must be set; what it is. Without this, `default` and `fallback`, an unset variable is `undefined`. */
  readonly required?: string;
  /** Text in the docs for an unset variable without a `default`. @default `none`, or `required` */
  readonly shown?: string;
  /** Whether it is among the settings that most users look at, which the docs list first. */
  readonly common?: true;
  /** Markdown: whole sentences. Also the comment of the chart's value. */
  readonly doc: string;
  /** Markdown: an example of a setting with several values, which commas separate in a variable. */
  readonly list?: string;
  readonly chart?: ChartSetting;
  /** Chart value from which a template of the chart computes the variable. Only the docs read it. */
  readonly computedFrom?: string;
}

/** A value of the chart that sets a variable. */
export interface ChartSetting {
  /** Path in values.yaml, for example `gateway.config.maxBody`. */
  readonly value: string;
  /** @default the default of the setting; empty if it has none */
  readonly default?: string | number;
  /** Templates `trifold.settings.…` that write the variable. @default the first part of the path */
  readonly in?: readonly string[];
  /** Further sentences of the comment, which concern the chart alone. */
  readonly note?: string;
}

type Settings = Readonly<Record<`TRIFOLD_${string}`, Setting>>;

/** The browser sends documents as base64, which is larger and must fit into one string. */
const MAX_OUTPUT = '256Mi';

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
      doc: `Price of one ${FORMATS[format].billedAs} document made with a live key.`,
      chart: { value: `gateway.config.prices.${format}` },
    },
  ]),
) as Readonly<Record<`TRIFOLD_PRICE_${Uppercase<DocumentFormat>}`, PriceSetting>>;

const PROCESS = {
  TRIFOLD_HOST: {
    type: anyText,
    common: true,
    shown: '`127.0.0.1`; `0.0.0.0` in a cluster',
    doc: 'Address to listen on.',
  },
  TRIFOLD_PORT: {
    type: wholeNumber(0, 65_535),
    common: true,
    default: '8080',
    doc: 'Port to listen on; 0 selects a free port.',
  },
  TRIFOLD_HOSTS: {
    type: listOf(hostName),
    common: true,
    fallback: [],
    doc: 'Names that the standalone service accepts in the `Host` header, for example the name of a reverse proxy, without ports. It always accepts `localhost`, the host name of the machine, `TRIFOLD_HOST` and IP addresses. Requests for other names get 421, which protects against DNS rebinding. No effect in a cluster.',
    list: '`docs.example.com,trifold`',
  },
  TRIFOLD_DATA: {
    type: anyText,
    common: true,
    default: './.trifold',
    doc: 'Directory for all stored data (mode 0700). Only one process can use it at a time.',
  },
  TRIFOLD_DURABILITY: {
    type: oneOf('power', 'process'),
    default: 'power',
    doc: 'Durability of the standalone service. `power`: each response waits for the disk, so its effect survives a power cut. `process`: it survives a crash of the process, but a power cut or a crash of the operating system may lose the most recent changes. No effect in a cluster.',
  },
  TRIFOLD_KUBE_PORT: {
    type: wholeNumber(0, 65_535),
    default: '0',
    doc: 'Port of the control plane for kubectl, on 127.0.0.1; 0 selects a free port.',
  },
  TRIFOLD_LOG_LEVEL: {
    type: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    common: true,
    default: 'info',
    doc: 'Log level: `debug`, `info`, `warn`, `error` or `silent`.',
    chart: { value: 'logLevel', in: ['gateway', 'controller', 'renderer'] },
  },
  TRIFOLD_LIVE_KEY: {
    type: apiKey('live'),
    shown: 'generated',
    doc: 'Live key of the first account; never printed.',
  },
  TRIFOLD_TEST_KEY: {
    type: apiKey('test'),
    shown: 'generated',
    doc: 'Test key of the first account; never printed.',
  },
  TRIFOLD_DENY_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: 'Address ranges that webhooks and documents must never reach, even if they are public or `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES` or `TRIFOLD_RENDER_ALLOW_ADDRESSES` allows them: the public ranges of your own network, and those that your cloud serves to its instances. Private ranges and `168.63.129.16` (Azure) are always denied. Applies to gateway, controller and renderer.',
    list: '`203.0.113.0/24,2001:db8::/32`',
    chart: {
      value: 'denyAddresses',
      in: ['gateway', 'controller', 'renderer'],
    },
  },
} as const satisfies Settings;

const PROCESS_OF_A_CLUSTER = {
  TRIFOLD_OPERATIONS_PORT: {
    type: wholeNumber(0, 65_535),
    default: '9090',
    doc: 'Port of `/healthz`, `/readyz` and `/metrics` of controller and renderer; 0 selects a free port. The gateway serves them on `TRIFOLD_PORT`.',
  },
  TRIFOLD_CLOSE_DELAY: {
    type: duration('0s', '5m'),
    default: '5s',
    doc: 'Time for which a stopping gateway still accepts requests while it reports that it is not ready, until all nodes have removed it from the Service. `TRIFOLD_CLOSE_WAIT` begins after that.',
    chart: { value: 'gateway.config.closeDelay' },
  },
  TRIFOLD_DRAIN_WAIT: {
    type: duration('0s', '1h'),
    default: '70s',
    doc: 'Time for which a stopping renderer may finish its active documents; another renderer takes the rest.',
    chart: {
      value: 'renderer.config.drainWait',
      note: "Must be more than `controller.config.renderDeadline`. The pod's grace period follows from it.",
    },
  },
  TRIFOLD_PREVIEW_TOKEN: {
    type: printableSecret,
    doc: 'Secret of at least 32 characters with which gateways request previews from renderers, identical on all of them; never printed. A renderer with a token serves previews and keeps a browser for them.',
    computedFrom: 'previews.existingSecret',
  },
  TRIFOLD_PREVIEW_PORT: {
    type: wholeNumber(0, 65_535),
    default: '9091',
    doc: 'Port on which a renderer serves previews; 0 selects a free port.',
  },
  TRIFOLD_PREVIEW_RENDERERS: {
    type: listOf(rendererAddress),
    doc: 'Renderers from which a gateway requests previews: names or addresses with a port. A name can stand for several renderers, such as a headless Service. When empty, previews of documents return 501.',
    list: '`trifold-renderer:9091`',
  },
  TRIFOLD_TASK_KEYS: {
    type: secretWithPredecessor,
    common: true,
    required: 'the secret that controllers and renderers share',
    doc: 'Secret of at least 32 characters with which controllers and renderers encrypt tasks in Redis; never printed. Required in a cluster, identical on all of them. To replace it, set the new key, a comma and the old key until all processes have restarted with this value.',
    computedFrom: 'tasks.existingSecret',
  },
  TRIFOLD_LEASE_NAMESPACE: {
    type: dnsLabel,
    shown: "the pod's own",
    doc: 'Namespace of the Lease that controllers compete for; `default` outside a cluster.',
  },
  TRIFOLD_LEASE_NAME: {
    type: dnsLabel,
    default: 'trifold-controller',
    doc: 'Name of that Lease.',
  },
} as const satisfies Settings;

const GATEWAY = {
  TRIFOLD_MAX_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '2Mi',
    doc: 'Maximum size of a request body, and of the data of a batch item.',
    chart: { value: 'gateway.config.maxBody' },
  },
  TRIFOLD_MAX_BATCH_BODY: {
    type: byteSize('1Ki', '256Mi'),
    common: true,
    default: '16Mi',
    doc: 'Maximum size of the body of a batch request. Parsing stops after 5 s and the request gets 413: more than about `64Mi` may take too long.',
    chart: { value: 'gateway.config.maxBatchBody' },
  },
  TRIFOLD_BODY_BUDGET: {
    type: byteSize('1Ki', '64Gi'),
    shown: '`128Mi`, or the largest allowed body if that is larger',
    doc: 'Maximum size of the bodies of all requests in flight at a gateway, at least the largest allowed body; beyond it, requests get 503. One API key may use half of it, and always the largest allowed body; beyond that, its requests get 429. Bodies of up to 64 KiB may exceed the maximum by a quarter. A body counts until the gateway has responded to its request.',
    chart: {
      value: 'gateway.config.bodyBudget',
      note: 'Empty: 128Mi, or the largest allowed body if that is larger. Parsing needs several times as much memory, so leave room below the memory limit.',
    },
  },
  TRIFOLD_MIN_UPLOAD_RATE: {
    type: byteSize('0', '64Mi'),
    default: '32Ki',
    doc: 'Minimum average upload rate of a body, in bytes per second, after ten seconds; slower uploads get 408. `0`: no minimum. Every request has 60 s in total.',
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
    doc: 'Maximum number of unfinished documents of an account, including batch items; beyond it, requests get 429. `0`: no limit. Requires Kubernetes 1.31 or newer (field selectors of custom resources) and has no effect on older versions.',
    chart: { value: 'gateway.config.maxUnfinishedDocuments' },
  },
  TRIFOLD_MAX_TEMPLATES: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of templates of an account; beyond it, `POST /v1/templates` gets 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxTemplates' },
  },
  TRIFOLD_MAX_KEYS: {
    type: wholeNumber(0, 1_000_000),
    default: '1000',
    doc: 'Maximum number of API keys of an account; beyond it, `POST /v1/api-keys` gets 409. `0`: no limit.',
    chart: { value: 'gateway.config.maxKeys' },
  },
  TRIFOLD_MAX_STORED_BYTES: {
    type: byteSize('0', '1048576Gi'),
    common: true,
    default: '50Gi',
    doc: 'Maximum size of all objects of an account in the object store: documents, data, records, and versions of templates. Beyond it, requests that store something get 507. The controller counts every `TRIFOLD_COLLECTION_INTERVAL`, so an account can exceed the limit by what it stores in the meantime. `0`: no limit.',
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
    doc: 'Keys that may download a document: `key`, only the key that generated it, or `account`, any key of its account.',
    chart: { value: 'gateway.config.downloadAccess' },
  },
  TRIFOLD_SESSION_SECRET: {
    type: secret,
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters that encrypts dashboard sessions, identical on every gateway; never printed. Without it, sign-in is disabled. A change ends all sessions.',
    computedFrom: 'dashboard.existingSecret',
  },
  TRIFOLD_OIDC_ISSUER: {
    type: secureUrl,
    doc: 'HTTPS URL of the OpenID Connect issuer with which users sign in to the dashboard. It serves `/.well-known/openid-configuration`. If you set it, the settings for the client, the grants, the public URL and the session secret are required.',
    chart: { value: 'dashboard.oidc.issuer', note: 'Empty: users sign in with API keys only.' },
  },
  TRIFOLD_OIDC_CLIENT_ID: {
    type: anyText,
    doc: 'Id of the client at the identity provider.',
    chart: { value: 'dashboard.oidc.clientId' },
  },
  TRIFOLD_OIDC_CLIENT_SECRET: {
    type: anyText,
    doc: 'Secret of that client; never printed.',
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
    doc: 'Permissions of the users who sign in, as a JSON list of objects with the fields `claim`, `value`, `account`, `scopes` and optionally `type` and `downloads` ([setup](run/oidc.md)). The first matching grant applies; users without a grant cannot sign in.',
    computedFrom: 'dashboard.oidc.grants',
  },
  TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {
    type: flag,
    default: 'false',
    doc: '`true`: grants with the claim `email` also match addresses that the identity provider has not verified (`email_verified`). Set it only if users cannot choose their address at the provider.',
    chart: { value: 'dashboard.oidc.allowUnverifiedEmail' },
  },
  TRIFOLD_PUBLIC_URL: {
    type: secureOrigin,
    doc: 'Address of the service in browsers, for sign-in with OpenID Connect, such as `https://docs.example.com`. The redirect URI of the client is `/dashboard/sign-in/callback` at this address, and its post-logout redirect URI is `/dashboard/`.',
    chart: { value: 'dashboard.oidc.publicUrl' },
  },
  TRIFOLD_RATE_LIMIT: {
    type: rateLimit,
    common: true,
    default: 'off',
    doc: 'Rate limit of each API key, such as `600/1m`: requests, and the window that begins with the first one (whole seconds, 24h at most); beyond it, requests get 429. `off`: no limit. In a cluster, gateways count in Redis; without `TRIFOLD_REDIS_URL` each gateway counts separately.',
    chart: { value: 'gateway.config.rateLimit' },
  },
  TRIFOLD_PRICE_CURRENCY: {
    type: currencyCode,
    doc: 'Currency of the prices, three letters such as `EUR`; required when a price is set. Prices are numbers such as `0.015`, with at most eight digits after the point. Without a price, `GET /v1/billing` shows units but no amounts.',
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
    doc: 'Time for which requests in flight may continue after a stop request. The standalone process always ends within 10 s.',
    chart: {
      value: 'gateway.config.closeWait',
      default: '35s',
      note: "The pod's grace period follows from both.",
    },
  },
} as const satisfies Settings;

const CONTROLLER = {
  TRIFOLD_RENDER_DEADLINE: {
    type: duration('1s', '1h'),
    common: true,
    default: '60s',
    doc: 'Time limit for one document once a renderer has it, excluding the wait for a browser; not retried.',
    chart: { value: 'controller.config.renderDeadline' },
  },
  TRIFOLD_RENDER_ATTEMPTS: {
    type: wholeNumber(1, 10),
    default: '2',
    doc: 'Maximum number of attempts if a document fails for a temporary reason, such as a browser that died. Attempts that are lost with their renderer count separately: after the third, the document fails. While the object store is unavailable, there are at least six attempts.',
    chart: { value: 'controller.config.renderAttempts' },
  },
  TRIFOLD_PROGRESS_AFTER: {
    type: duration('100ms', '1m'),
    default: '1s',
    doc: 'Age at which an unfinished job shows its phase in its status, for at most five jobs per second.',
    chart: { value: 'controller.config.progressAfter' },
  },
  TRIFOLD_TTL_SECONDS_AFTER_FINISHED: {
    type: wholeNumber(0, 86_400),
    common: true,
    default: '600',
    doc: 'Seconds that a finished job stays in `kubectl get`.',
    chart: { value: 'controller.config.ttlSecondsAfterFinished' },
  },
  TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: {
    type: wholeNumber(0, 1_000_000),
    default: '500',
    doc: 'Number of finished jobs and batches of an account that stay for `TRIFOLD_TTL_SECONDS_AFTER_FINISHED`. Beyond this number, the oldest are deleted earlier, but not within ten seconds of their end, except jobs that set their own time to live or that `/v1` cannot find without their resource.',
    chart: { value: 'controller.config.finishedJobsPerAccount' },
  },
  TRIFOLD_FINISHED_JOBS: {
    type: wholeNumber(0, 1_000_000),
    default: '5000',
    doc: 'Like `TRIFOLD_FINISHED_JOBS_PER_ACCOUNT`, but for all accounts together.',
    chart: { value: 'controller.config.finishedJobs' },
  },
  TRIFOLD_USAGE_INTERVAL: {
    type: duration('100ms', '10m'),
    default: '10s',
    doc: 'Interval at which finished work and emails are added to usage reports, so `GET /v1/usage` can lag by this much. Finished work that is due for deletion waits up to this long for more work of its account, so that both are counted and deleted together.',
    chart: { value: 'controller.config.usageInterval' },
  },
  TRIFOLD_COLLECTION_INTERVAL: {
    type: duration('10s', '24h'),
    default: '5m',
    doc: 'Interval at which the controller scans for expired documents, counts the stored bytes of accounts, and adds the emails of past days to the usage reports.',
    chart: { value: 'controller.config.collectionInterval' },
  },
  TRIFOLD_TEMPLATE_VERSIONS: {
    type: wholeNumber(1, 1_000),
    default: '100',
    doc: 'Number of versions of each template that are kept, 1 to 1000.',
    chart: { value: 'controller.config.templateVersions' },
  },
} as const satisfies Settings;

const WEBHOOKS = {
  TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: 'Non-public address ranges that webhooks may reach. For receivers in the same cluster, use the range of Services, and let network policies admit the controller to their pods: `networkPolicy.webhooksAlsoTo` of the chart.',
    list: '`10.96.0.0/12,fd00::/8`',
    chart: {
      value: 'webhooks.allowAddresses',
      in: ['gateway', 'controller'],
    },
  },
  TRIFOLD_WEBHOOK_ALLOW_HTTP: {
    type: flag,
    default: 'false',
    doc: 'Also accept and call plain HTTP URLs; for development.',
    chart: { value: 'webhooks.allowHttp', in: ['gateway', 'controller'] },
  },
  TRIFOLD_WEBHOOK_KEY: {
    type: secret,
    common: true,
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters from which controllers derive the private key that decrypts webhook signing secrets, identical on all of them; never printed. With a different key, endpoints are `SecretNotReadable` unless `TRIFOLD_WEBHOOK_PREVIOUS_KEY` has the previous key ([rotation](run/upgrade.md#rotate-the-webhook-key)).',
    computedFrom: 'webhooks.existingSecret',
  },
  TRIFOLD_WEBHOOK_PREVIOUS_KEY: {
    type: secret,
    doc: 'The previous `TRIFOLD_WEBHOOK_KEY` during a rotation. Controllers re-encrypt the secrets that it decrypts with the new key.',
    computedFrom: 'webhooks.previousSecretKey',
  },
  TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: {
    type: namespacedName,
    default: 'default/trifold-webhook-key',
    doc: 'Namespace and name of the ConfigMap in which controllers publish the public key, and from which gateways read it.',
  },
  TRIFOLD_WEBHOOK_RETRY_SCHEDULE: {
    type: retrySchedule,
    default: '0s,1m,5m,30m,2h,8h,24h',
    doc: 'Delays before the attempts of a delivery, each counted from the previous attempt; 16 at most.',
    chart: { value: 'webhooks.retrySchedule', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_CONCURRENCY: {
    type: wholeNumber(2, 4096),
    default: '512',
    doc: 'Maximum number of webhook attempts in flight. One account may use a quarter of them, but always enough for one endpoint.',
    chart: { value: 'webhooks.concurrency', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_ENDPOINT_CONCURRENCY: {
    type: wholeNumber(1, 256),
    default: '8',
    doc: 'Maximum number of attempts in flight to one endpoint; two while it fails, and until the first success after it has been idle. For callbacks, the host and port of an account count as one endpoint.',
    chart: { value: 'webhooks.endpointConcurrency', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_KEEP_DELIVERED: {
    type: duration('0s', '720h'),
    default: '24h',
    doc: 'Time that a delivery is kept after it was delivered.',
    chart: { value: 'webhooks.keepDelivered', in: ['controller'] },
  },
  TRIFOLD_WEBHOOK_KEEP_FAILED: {
    type: duration('0s', '2160h'),
    default: '168h',
    doc: 'Time that a delivery is kept after its final failure.',
    chart: { value: 'webhooks.keepFailed', in: ['controller'] },
  },
} as const satisfies Settings;

const RENDERER = {
  TRIFOLD_BROWSER: {
    type: anyText,
    common: true,
    shown: 'found, else bundled',
    doc: 'Path of a Chromium executable, or `bundled` for the headless shell that is bundled with the npm packages (Linux x64). By default, an installed headless shell is used, then the bundled one, then a full Chromium or Chrome.',
  },
  TRIFOLD_BROWSER_SOCKET: {
    type: anyText,
    doc: 'Unix socket of the browser launcher (`node renderer/browser/launcher/main.ts`), which starts the browsers in a separate container; identical for launcher and renderer. Without it, browsers are child processes of the renderer.',
  },
  TRIFOLD_BROWSERS: {
    type: wholeNumber(1, 64),
    common: true,
    fallback: Math.min(2, availableParallelism()),
    shown: '`2` (`1` on one core)',
    doc: 'Number of browsers; each prints one document at a time and needs one CPU. The same number of processes merges templates with data.',
    chart: { value: 'renderer.config.browsers', default: 2 },
  },
  TRIFOLD_BROWSER_SANDBOX: {
    type: oneOf('auto', 'required', 'off'),
    default: 'auto',
    doc: "Chromium's own sandbox: `auto` if the machine allows it, `required`, `off`.",
    computedFrom: 'renderer.sandbox.enabled',
  },
  TRIFOLD_BROWSER_MEMORY: {
    type: byteSize('64Mi', '64Gi'),
    default: '1Gi',
    doc: 'Memory at which a browser is replaced.',
    chart: {
      value: 'renderer.config.browserMemory',
      default: '768Mi',
      note: 'The memory limit of `renderer.browser.resources` must cover this for each browser and a spare, for two more that run on demand for images and DOCX and for two that run on demand for previews, plus `shmSize`, plus 256Mi for the process that starts them.',
    },
  },
  TRIFOLD_MERGE_TIMEOUT: {
    type: duration('10ms', '10m'),
    default: '5s',
    doc: 'Time limit for one merge.',
    chart: { value: 'renderer.config.mergeTimeout' },
  },
  TRIFOLD_MAX_MERGED: {
    type: byteSize('1Ki', '40Mi'),
    default: '20Mi',
    doc: 'Maximum size of merged HTML, up to 40Mi.',
    chart: { value: 'renderer.config.maxMerged' },
  },
  TRIFOLD_MAX_OUTPUT: {
    type: byteSize('1Ki', MAX_OUTPUT),
    default: '50Mi',
    doc: 'Maximum size of a finished document.',
    chart: { value: 'renderer.config.maxOutput' },
  },
  TRIFOLD_TEMPLATE_SCRIPTS: {
    type: oneOf('off', 'on'),
    default: 'off',
    doc: '`on`: scripts in templates run, within the deadline. Each document then gets a separate browser context and takes longer.',
    chart: { value: 'renderer.config.templateScripts' },
  },
  TRIFOLD_RENDER_ALLOW_HOSTS: {
    type: listOf(allowedHost),
    common: true,
    fallback: [],
    doc: 'Hosts that documents may load images, styles and fonts from. The default port depends on the scheme. Limits: 10 MiB each, 30 MiB in total, 100 requests and 10 s, three redirects. When empty, documents have no network access.',
    list: '`cdn.example.com,images.example.com:8443`',
    chart: { value: 'renderer.config.allowHosts' },
  },
  TRIFOLD_RENDER_ALLOW_ADDRESSES: {
    type: listOf(addressRange),
    fallback: [],
    doc: 'Non-public address ranges that allowed hosts may use.',
    list: '`10.96.0.0/12,fd00::/8`',
    chart: {
      value: 'renderer.config.allowAddresses',
      note: 'If NetworkPolicies are enforced, hosts in the cluster also need an additional policy that lets the renderer reach their pods.',
    },
  },
} as const satisfies Settings;

const OBJECT_STORE = {
  TRIFOLD_S3_ENDPOINT: {
    type: storeEndpoint,
    common: true,
    required: 'the URL of the object store, such as http://minio:9000',
    doc: '`http://` or `https://` with a host and an optional port. For `https://`, `NODE_EXTRA_CA_CERTS` names additional certificate authorities to trust.',
    computedFrom: 'objectStore.external.endpoint',
  },
  TRIFOLD_S3_BUCKET: {
    type: bucketName,
    common: true,
    default: 'trifold',
    doc: 'Name of the bucket. Gateway and controller create it if it is missing and the credentials allow it, both at the start and later.',
    chart: { value: 'objectStore.bucket' },
  },
  TRIFOLD_S3_REGION: {
    type: regionName,
    default: 'us-east-1',
    doc: 'Region of the bucket.',
    chart: { value: 'objectStore.region' },
  },
  TRIFOLD_S3_ACCESS_KEY: {
    type: storeCredential,
    common: true,
    doc: 'Access key, together with the secret key. Without keys, the credentials come from the [workload identity](run/object-store.md#workload-identity) of the process. They need s3:ListBucket, GetObject, PutObject, DeleteObject.',
    computedFrom: 'objectStore.external.existingSecret',
  },
  TRIFOLD_S3_SECRET_KEY: {
    type: storeCredential,
    common: true,
    doc: 'The secret key; never printed.',
    computedFrom: 'objectStore.external.existingSecret',
  },
} as const satisfies Settings;

const RENDER_QUEUE = {
  TRIFOLD_REDIS_URL: {
    type: redisAddress,
    common: true,
    required: REDIS_URL_FORM,
    doc: '`redis://host[:port][/database]` for one server, `redis+sentinel://host[:port][,host[:port]…]/master[/database]` for the master that Sentinels name, or `redis+cluster://host[:port][,host[:port]…]` for a Redis Cluster; without credentials. `rediss` in place of `redis` uses TLS (`NODE_EXTRA_CA_CERTS` names additional certificate authorities).',
    computedFrom: 'redis.external.url',
  },
  TRIFOLD_REDIS_USERNAME: {
    type: anyText,
    shown: '`default`',
    doc: 'Redis user; requires a password.',
    computedFrom: 'redis.external.username',
  },
  TRIFOLD_REDIS_PASSWORD: {
    type: anyText,
    common: true,
    doc: "The user's password; never printed.",
    computedFrom: 'redis.external.existingSecret',
  },
  TRIFOLD_REDIS_SENTINEL_USERNAME: {
    type: anyText,
    shown: '`default`',
    doc: 'Sentinel user; requires a password.',
    computedFrom: 'redis.external.sentinelUsername',
  },
  TRIFOLD_REDIS_SENTINEL_PASSWORD: {
    type: anyText,
    doc: 'Password of the Sentinels, if they have one; never printed.',
    computedFrom: 'redis.external.sentinelPasswordKey',
  },
  TRIFOLD_REDIS_PREFIX: {
    type: redisPrefix,
    default: 'trifold',
    doc: 'Prefix of all keys in Redis, for several installations in one Redis. In a Redis Cluster, it is enclosed in braces: the hash tag that keeps all keys on one server. For a managed Redis that has several shards behind one address, set the braces yourself: `{trifold}`.',
    chart: { value: 'redis.prefix' },
  },
} as const satisfies Settings;

/** In the order of the docs. */
export const SETTING_SECTIONS: readonly {
  readonly title: string;
  readonly note: string;
  readonly settings: Settings;
}[] = [
  { title: 'General', note: '', settings: PROCESS },
  {
    title: 'In a cluster',
    note: "`KUBECONFIG` names the API server; the default is the pod's service account. A renderer does not use the API server.",
    settings: PROCESS_OF_A_CLUSTER,
  },
  { title: 'Gateway', note: '', settings: GATEWAY },
  { title: 'Controller', note: '', settings: CONTROLLER },
  {
    title: 'Webhooks',
    note: 'Settings of the controller. `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES` and `TRIFOLD_WEBHOOK_ALLOW_HTTP` also apply to the gateway.',
    settings: WEBHOOKS,
  },
  { title: 'Renderer', note: '', settings: RENDERER },
  {
    title: 'Object store (S3)',
    note: 'For gateway, controller and renderer in a cluster. The standalone process keeps everything in `TRIFOLD_DATA`.',
    settings: OBJECT_STORE,
  },
  {
    title: 'Render queue (Redis)',
    note: 'For controller and renderer in a cluster, and for gateways with a `TRIFOLD_RATE_LIMIT`. The standalone process keeps its queue in memory. Redis 6.2 or newer, `maxmemory-policy noeviction`: one server, Sentinel or a Redis Cluster.',
    settings: RENDER_QUEUE,
  },
];

/** By name. */
export const SETTINGS = {
  ...PROCESS,
  ...PROCESS_OF_A_CLUSTER,
  ...GATEWAY,
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

/** What a setting is once it is read. */
export type SettingValue<Name extends SettingName> =
  Entry<Name> extends
    | { readonly default: string }
    | { readonly fallback: unknown }
    | { readonly required: string }
    ? Parsed<Name>
    : Parsed<Name> | undefined;
