/**
 * Every setting of every process: its name, its default, and its meaning. The services parse them (`readSettings`), and
 * `npm run generate` writes docs/configuration.md and the comments of the chart's values from them.
 */
export interface SettingDescription {
  /** Value of an unset variable, in the form that a user would write. */
  readonly default?: string;
  /** Text in the docs for an unset variable without a fixed default. */
  readonly shown?: string;
  /** Markdown: whole sentences. Also the comment of the chart's value. */
  readonly doc: string;
  /** Markdown: an example of a setting with several values, which commas separate in a variable. */
  readonly list?: string;
}

type Settings = Readonly<Record<`TRIFOLD_${string}`, SettingDescription>>;

const PROCESS = {
  TRIFOLD_HOST: { default: '127.0.0.1', doc: 'Address to listen on. In a cluster the default is `0.0.0.0`.' },
  TRIFOLD_PORT: { default: '8080', doc: 'Port to listen on; 0 takes a free port.' },
  TRIFOLD_HOSTS: {
    shown: 'none',
    doc: 'Names of the standalone service in the `Host` header, for example the name of a reverse proxy, without ports. It always answers to `localhost`, the name of the machine, `TRIFOLD_HOST` and IP addresses. Requests to other names get 421, which protects against DNS rebinding. No effect in a cluster.',
    list: '`docs.example.com,trifold`',
  },
  TRIFOLD_DATA: {
    default: './.trifold',
    doc: 'Directory of all stored data (mode 0700). Only one process can use it at a time.',
  },
  TRIFOLD_DURABILITY: {
    default: 'power',
    doc: '`power`: what the standalone service has answered survives a power cut; it waits for the disk before each answer. `process`: it survives the death of the process, but a power cut or a crash of the operating system may lose the last moments. No effect in a cluster.',
  },
  TRIFOLD_KUBE_PORT: {
    default: '0',
    doc: 'Port of the control plane for kubectl, on 127.0.0.1; 0 takes a free port.',
  },
  TRIFOLD_LOG_LEVEL: { default: 'info', doc: '`debug`, `info`, `warn`, `error`, `silent`.' },
  TRIFOLD_LIVE_KEY: { shown: 'generated', doc: 'Live key of the first account; never printed.' },
  TRIFOLD_TEST_KEY: { shown: 'generated', doc: 'Test key of the first account; never printed.' },
  TRIFOLD_DENY_ADDRESSES: {
    shown: 'none',
    doc: 'Address ranges that webhooks and documents must never reach, even if they are public or `TRIFOLD_WEBHOOK_ALLOW_ADDRESSES` or `TRIFOLD_RENDER_ALLOW_ADDRESSES` allows them: the public ranges of your own network, and those that your cloud serves to its machines. Private ranges and `168.63.129.16` (Azure) are always denied. Applies to gateway, controller and renderer.',
    list: '`203.0.113.0/24,2001:db8::/32`',
  },
} as const satisfies Settings;

const PROCESS_OF_A_CLUSTER = {
  TRIFOLD_OPERATIONS_PORT: {
    default: '9090',
    doc: 'Port of `/healthz`, `/readyz` and `/metrics` of controller and renderer; 0 takes a free port. The gateway serves them on `TRIFOLD_PORT`.',
  },
  TRIFOLD_CLOSE_DELAY: {
    default: '5s',
    doc: 'Time for which a stopping gateway still accepts requests while it reports that it is not ready, until all nodes have removed it from the Service. `TRIFOLD_CLOSE_WAIT` begins after that.',
  },
  TRIFOLD_DRAIN_WAIT: {
    default: '70s',
    doc: 'Time for which a stopping renderer may finish its active documents; another renderer takes the rest.',
  },
  TRIFOLD_PREVIEW_TOKEN: {
    shown: 'none',
    doc: 'Secret of at least 32 characters with which gateways ask renderers for previews, the same at all of them; never printed. A renderer with a token serves previews and keeps a browser for them.',
  },
  TRIFOLD_PREVIEW_PORT: {
    default: '9091',
    doc: 'Port on which a renderer serves previews; 0 takes a free port.',
  },
  TRIFOLD_PREVIEW_RENDERERS: {
    shown: 'none',
    doc: 'Renderers that a gateway asks for previews: names or addresses with a port. A name can stand for several renderers, such as a headless Service. When empty, previews of documents get 501.',
    list: '`trifold-renderer:9091`',
  },
  TRIFOLD_TASK_KEYS: {
    shown: 'none',
    doc: 'Secret of at least 32 characters with which controllers and renderers encrypt tasks in Redis; never printed. Required in a cluster, the same at all of them. To replace it, set the new key, a comma and the old key, until all of them run with it.',
  },
  TRIFOLD_LEASE_NAMESPACE: {
    shown: "the pod's own",
    doc: 'Namespace of the Lease that controllers compete for; `default` outside a cluster.',
  },
  TRIFOLD_LEASE_NAME: { default: 'trifold-controller', doc: 'Name of that Lease.' },
} as const satisfies Settings;

const GATEWAY = {
  TRIFOLD_MAX_BODY: {
    default: '2Mi',
    doc: 'Maximum size of a request body, and of the data of a batch item.',
  },
  TRIFOLD_MAX_BATCH_BODY: {
    default: '16Mi',
    doc: 'Maximum size of the body of a batch request. Parsing stops after 5 s and the request gets 413: more than about `64Mi` may take too long.',
  },
  TRIFOLD_BODY_BUDGET: {
    shown: '`128Mi`, or `TRIFOLD_KEY_BODY_BUDGET` if that is larger',
    doc: 'Maximum size of the bodies of all requests in flight at a gateway, at least `TRIFOLD_KEY_BODY_BUDGET`; beyond it, requests get 503. Bodies of up to 64 KiB may exceed it by a quarter. A body counts until the gateway answers its request.',
  },
  TRIFOLD_KEY_BODY_BUDGET: {
    shown: '`64Mi`, or the largest allowed body if that is larger',
    doc: 'Maximum size of the bodies in flight of one API key, at least the largest allowed body; beyond it, requests get 429.',
  },
  TRIFOLD_MIN_UPLOAD_RATE: {
    default: '32Ki',
    doc: 'Minimum average upload rate of a body, in bytes a second, after ten seconds; slower uploads get 408. `0`: no minimum. Every request has 60 s in total.',
  },
  TRIFOLD_MAX_TEMPLATE: {
    default: '1Mi',
    doc: "Maximum size of a template's html and css together, up to 1Mi.",
  },
  TRIFOLD_MAX_EMAIL: {
    default: '2Mi',
    doc: 'Maximum size of each part of a compiled email: html, text, subject, preview text.',
  },
  TRIFOLD_EMAIL_TIMEOUT: { default: '2s', doc: 'Time limit for compiling one email.' },
  TRIFOLD_EMAIL_WORKERS: {
    shown: '`2` (`1` on one core)',
    doc: 'Maximum number of processes that compile emails; they start with the first email.',
  },
  TRIFOLD_MAX_LIVE_JOBS: {
    default: '10000',
    doc: 'Maximum number of unfinished documents of an account, including batch items; beyond it, requests get 429. `0`: no limit. Needs Kubernetes 1.31 or newer (field selectors of custom resources) and has no effect on older versions.',
  },
  TRIFOLD_MAX_TEMPLATES: {
    default: '1000',
    doc: 'Maximum number of templates of an account; beyond it, `POST /v1/templates` gets 409. `0`: no limit.',
  },
  TRIFOLD_MAX_KEYS: {
    default: '1000',
    doc: 'Maximum number of API keys of an account; beyond it, `POST /v1/api-keys` gets 409. `0`: no limit.',
  },
  TRIFOLD_MAX_STORED_BYTES: {
    default: '50Gi',
    doc: 'Maximum size of all objects of an account in the object store: documents, data, records, and versions of templates. Beyond it, requests that store something get 507. The controller counts every `TRIFOLD_COLLECTION_INTERVAL`, so an account can exceed the limit by what it stores meanwhile. `0`: no limit.',
  },
  TRIFOLD_SYNC_WAIT: {
    default: '30s',
    doc: 'Time that a synchronous request waits before the gateway answers 202 `processing`.',
  },
  TRIFOLD_DOWNLOAD_ACCESS: {
    default: 'key',
    doc: 'Keys that may download a document: `key`, only the key that generated it, or `account`, any key of its account.',
  },
  TRIFOLD_SESSION_SECRET: {
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters that seals the sessions of the dashboard, the same at every gateway; never printed. Without it, nobody can sign in. Another secret ends all sessions.',
  },
  TRIFOLD_OIDC_ISSUER: {
    shown: 'none',
    doc: 'Issuer of the identity provider with which people sign in to the dashboard (OpenID Connect), an https URL. It serves `/.well-known/openid-configuration`. The settings of the client, the grants, the public URL and the secret of sessions are then required.',
  },
  TRIFOLD_OIDC_CLIENT_ID: { shown: 'none', doc: 'Id of the client at the identity provider.' },
  TRIFOLD_OIDC_CLIENT_SECRET: { shown: 'none', doc: 'Secret of that client; never printed.' },
  TRIFOLD_OIDC_SCOPES: {
    default: 'openid profile email',
    doc: 'Scopes to request from the identity provider, separated by spaces. Some providers need another one for groups.',
  },
  TRIFOLD_OIDC_GRANTS: {
    shown: 'none',
    doc: 'Rights of the people who sign in, as a JSON list with the members `claim`, `value`, `account`, `scopes` and optionally `type` and `downloads` ([setup](cluster-admins.md#sign-in-with-openid-connect)). The first entry that matches applies; people without one cannot sign in.',
  },
  TRIFOLD_OIDC_ALLOW_UNVERIFIED_EMAIL: {
    default: 'false',
    doc: '`true`: grants with the claim `email` also match addresses that the identity provider does not call verified (`email_verified`). Set it only if people cannot choose their address at the provider.',
  },
  TRIFOLD_PUBLIC_URL: {
    shown: 'none',
    doc: 'Address of the service in browsers, for sign-in with OpenID Connect, such as `https://docs.example.com`. The redirect URI of the client is `/dashboard/sign-in/callback` at this address, and its post-logout redirect URI is `/dashboard/`.',
  },
  TRIFOLD_RATE_LIMIT: {
    default: 'off',
    doc: 'Rate limit of each API key, such as `600/1m`: requests, and the window that begins with the first one (whole seconds, 24h at most); beyond it, requests get 429. `off`: no limit. In a cluster, gateways count in Redis; without `TRIFOLD_REDIS_URL` each gateway counts for itself.',
  },
  TRIFOLD_PRICE_CURRENCY: {
    shown: 'none',
    doc: 'Currency of the prices, three letters such as `EUR`; required when a price is set. Prices are numbers such as `0.015`, with at most eight digits after the point. Without a price, `GET /v1/billing` shows units and no amounts.',
  },
  TRIFOLD_PRICE_PDF: { shown: 'none', doc: 'Price of a PDF made with a live key.' },
  TRIFOLD_PRICE_PNG: { shown: 'none', doc: 'Price of a PNG made with a live key.' },
  TRIFOLD_PRICE_HTML: { shown: 'none', doc: 'Price of an HTML document made with a live key.' },
  TRIFOLD_PRICE_DOCX: { shown: 'none', doc: 'Price of a DOCX made with a live key.' },
  TRIFOLD_PRICE_EMAIL: { shown: 'none', doc: 'Price of an email compiled with a live key.' },
  TRIFOLD_LOG_REQUESTS: { default: 'false', doc: 'Log one line per request.' },
  TRIFOLD_CLOSE_WAIT: {
    default: '6s',
    doc: 'Time for which requests in flight may continue after a stop request. The standalone process always ends within 10 s.',
  },
} as const satisfies Settings;

const CONTROLLER = {
  TRIFOLD_RENDER_DEADLINE: {
    default: '60s',
    doc: 'Time limit of one document once a renderer has it, without the wait for a browser; not retried.',
  },
  TRIFOLD_RENDER_ATTEMPTS: {
    default: '2',
    doc: 'Maximum number of attempts if a document fails for a temporary reason, such as a browser that died. Attempts that end with their renderer count separately: the third fails the document. While the object store is unavailable, there are at least six attempts.',
  },
  TRIFOLD_RENDER_RETRY_DELAY: {
    default: '1s',
    doc: 'Delay before the second attempt; it doubles before each further attempt.',
  },
  TRIFOLD_PROGRESS_AFTER: {
    default: '1s',
    doc: 'Age at which an unfinished job shows its phase in its status; at most five jobs a second.',
  },
  TRIFOLD_RESYNC_INTERVAL: {
    default: '10s',
    doc: 'Interval at which the controller checks every dispatched job.',
  },
  TRIFOLD_TTL_SECONDS_AFTER_FINISHED: {
    default: '600',
    doc: 'Seconds that a finished job stays in `kubectl get`.',
  },
  TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: {
    default: '500',
    doc: 'Number of finished jobs and batches of an account that stay for `TRIFOLD_TTL_SECONDS_AFTER_FINISHED`. The oldest ones beyond it are deleted earlier, ten seconds after their end at the soonest, except jobs that set their own time to live or that `/v1` cannot find without their resource.',
  },
  TRIFOLD_FINISHED_JOBS: { default: '5000', doc: 'The same number for all accounts together.' },
  TRIFOLD_KEPT_JOBS_PER_ACCOUNT: {
    default: '5000',
    doc: 'Maximum number of finished jobs of an account that are never deleted early; beyond it, further such jobs fail with `too_many_kept`.',
  },
  TRIFOLD_USAGE_INTERVAL: {
    default: '10s',
    doc: 'Interval at which usage reports follow finished work and emails, which is how late `GET /v1/usage` is. Finished work that is due waits at most as long for more work of its account; both are then counted and deleted together.',
  },
  TRIFOLD_COLLECTION_INTERVAL: {
    default: '5m',
    doc: 'Interval of the scan for expired documents, of counting the stored bytes of accounts, and of adding the emails of past days to the usage reports.',
  },
  TRIFOLD_TEMPLATE_VERSIONS: {
    default: '100',
    doc: 'Number of versions of each template that are kept, 1 to 1000.',
  },
  TRIFOLD_ASYNC_TURN_EVERY: {
    default: '8',
    doc: 'One turn in this many goes to asynchronous documents while synchronous ones wait, 3 to 1000. Applies to controller and renderer.',
  },
  TRIFOLD_BATCH_TURN_EVERY: {
    default: '8',
    doc: 'One turn in this many goes to batches while other documents wait, 3 to 1000. Applies to controller and renderer.',
  },
  TRIFOLD_CONTROLLER_CONCURRENCY: {
    default: '16',
    doc: 'Maximum number of jobs that are reconciled at a time.',
  },
} as const satisfies Settings;

const WEBHOOKS = {
  TRIFOLD_WEBHOOK_ALLOW_ADDRESSES: {
    shown: 'none',
    doc: 'Non-public address ranges that webhooks may reach. For receivers in the same cluster, use the range of Services, and let network policies admit the controller to their pods: `networkPolicy.webhooksAlsoTo` of the chart.',
    list: '`10.96.0.0/12,fd00::/8`',
  },
  TRIFOLD_WEBHOOK_ALLOW_HTTP: {
    default: 'false',
    doc: 'Also accept and call plain HTTP URLs; for development.',
  },
  TRIFOLD_WEBHOOK_KEY: {
    shown: 'none; the standalone process generates it',
    doc: 'Secret of at least 32 characters from which controllers derive the private key that opens the signing secrets of webhooks, the same at all of them; never printed. With another key, endpoints are `SecretNotReadable` unless `TRIFOLD_WEBHOOK_PREVIOUS_KEY` has the one before ([rotation](cluster-admins.md#rotate-the-key-of-webhooks)).',
  },
  TRIFOLD_WEBHOOK_PREVIOUS_KEY: {
    shown: 'none',
    doc: 'The `TRIFOLD_WEBHOOK_KEY` before a rotation. Controllers seal again with the new key what it opens.',
  },
  TRIFOLD_WEBHOOK_KEY_CONFIG_MAP: {
    default: 'default/trifold-webhook-key',
    doc: 'Namespace and name of the ConfigMap in which controllers publish the public key, and from which gateways read it.',
  },
  TRIFOLD_WEBHOOK_RETRY_SCHEDULE: {
    default: '0s,1m,5m,30m,2h,8h,24h',
    doc: 'Delays before the attempts of a delivery, each counted from the previous attempt; 16 at most.',
  },
  TRIFOLD_WEBHOOK_CONCURRENCY: {
    default: '512',
    doc: 'Maximum number of webhook attempts in flight. One account may use a quarter of them, but always enough for one endpoint.',
  },
  TRIFOLD_WEBHOOK_ENDPOINT_CONCURRENCY: {
    default: '8',
    doc: 'Maximum number of attempts in flight to one endpoint; two while it fails, and until the first success after it was idle. For callbacks, the host and port of an account count as one endpoint.',
  },
  TRIFOLD_WEBHOOK_KEEP_DELIVERED: {
    default: '24h',
    doc: 'Time that a delivery is kept after it was delivered.',
  },
  TRIFOLD_WEBHOOK_KEEP_FAILED: {
    default: '168h',
    doc: 'Time that a delivery is kept after it was given up.',
  },
} as const satisfies Settings;

const RENDERER = {
  TRIFOLD_BROWSER: {
    shown: 'found, else bundled',
    doc: 'Path of a Chromium, or `bundled` for the headless shell that comes with npm (Linux x64). By default a headless shell of the machine is used, then the bundled one, then a full Chromium or Chrome.',
  },
  TRIFOLD_BROWSER_SOCKET: {
    shown: 'none',
    doc: 'Unix socket of the browser launcher (`node renderer/browser/launcher/main.ts`), which starts the browsers in a container of their own; the same at launcher and renderer. Without it, browsers are child processes of the renderer.',
  },
  TRIFOLD_BROWSERS: {
    shown: '`2` (`1` on one core)',
    doc: 'Number of browsers; each prints one document at a time and needs one CPU.',
  },
  TRIFOLD_BROWSER_SANDBOX: {
    default: 'auto',
    doc: "Chromium's own sandbox: `auto` where the machine allows it, `required`, `off`.",
  },
  TRIFOLD_BROWSER_DOCUMENTS: {
    default: '10000',
    doc: 'Number of documents after which a browser is replaced.',
  },
  TRIFOLD_BROWSER_MEMORY: { default: '1Gi', doc: 'Memory at which a browser is replaced.' },
  TRIFOLD_CONTEXT_IDLE: { default: '60s', doc: 'Time that an unused page of an account is kept.' },
  TRIFOLD_MERGE_WORKERS: {
    shown: 'as `TRIFOLD_BROWSERS`',
    doc: 'Number of processes that merge templates with data.',
  },
  TRIFOLD_MERGE_TIMEOUT: { default: '5s', doc: 'Time limit for one merge.' },
  TRIFOLD_MAX_MERGED: { default: '20Mi', doc: 'Maximum size of merged HTML, up to 40Mi.' },
  TRIFOLD_MAX_OUTPUT: { default: '50Mi', doc: 'Maximum size of a finished document.' },
  TRIFOLD_TEMPLATE_SCRIPTS: {
    default: 'off',
    doc: '`on`: scripts in templates run, within the deadline. Each document then has its own browser context and takes longer.',
  },
  TRIFOLD_RENDER_ALLOW_HOSTS: {
    shown: 'none',
    doc: 'Hosts that documents may load images, styles and fonts from. The default port is that of the scheme. Limits: 10 MiB each, 30 MiB in total, 100 requests and 10 s, three redirects. When empty, documents have no network.',
    list: '`cdn.example.com,images.example.com:8443`',
  },
  TRIFOLD_RENDER_ALLOW_ADDRESSES: {
    shown: 'none',
    doc: 'Non-public address ranges that those hosts may have.',
    list: '`10.96.0.0/12,fd00::/8`',
  },
} as const satisfies Settings;

const OBJECT_STORE = {
  TRIFOLD_S3_ENDPOINT: {
    shown: 'needed',
    doc: '`http://` or `https://` with a host and an optional port. For `https://`, `NODE_EXTRA_CA_CERTS` names additional certificate authorities to trust.',
  },
  TRIFOLD_S3_BUCKET: {
    default: 'trifold',
    doc: 'Name of the bucket. Gateway and controller create it when it is missing and the credentials allow it: at the start, and after somebody removed it.',
  },
  TRIFOLD_S3_REGION: { default: 'us-east-1', doc: 'Region of the bucket.' },
  TRIFOLD_S3_ACCESS_KEY: {
    shown: 'none',
    doc: 'Access key, together with the secret key. Without keys, the credentials come from the [workload identity](cluster-admins.md#workload-identity) of the process. They need s3:ListBucket, GetObject, PutObject, DeleteObject.',
  },
  TRIFOLD_S3_SECRET_KEY: { shown: 'none', doc: 'The secret key; never printed.' },
} as const satisfies Settings;

const RENDER_QUEUE = {
  TRIFOLD_REDIS_URL: {
    shown: 'needed',
    doc: '`redis://host[:port][/database]` for one server, `redis+sentinel://host[:port][,host[:port]…]/master[/database]` for the master that Sentinels name, or `redis+cluster://host[:port][,host[:port]…]` for a Redis Cluster; without credentials. `rediss` in place of `redis` uses TLS (`NODE_EXTRA_CA_CERTS` names additional certificate authorities).',
  },
  TRIFOLD_REDIS_USERNAME: { shown: '`default`', doc: 'User of Redis; only together with a password.' },
  TRIFOLD_REDIS_PASSWORD: { shown: 'none', doc: "The user's password; never printed." },
  TRIFOLD_REDIS_SENTINEL_USERNAME: {
    shown: '`default`',
    doc: 'User of the Sentinels; only together with a password.',
  },
  TRIFOLD_REDIS_SENTINEL_PASSWORD: {
    shown: 'none',
    doc: 'Password of the Sentinels, if they have one; never printed.',
  },
  TRIFOLD_REDIS_PREFIX: {
    default: 'trifold',
    doc: 'Prefix of all keys in Redis, for several installations in one Redis. In a Redis Cluster it is within braces, the hash tag that keeps all keys on one server. For a managed Redis that has several shards behind one address, set the braces yourself: `{trifold}`.',
  },
} as const satisfies Settings;

/** In the order of the docs. */
export const SETTING_SECTIONS: readonly {
  readonly title: string;
  readonly note: string;
  readonly settings: Settings;
}[] = [
  { title: 'Process', note: '', settings: PROCESS },
  {
    title: 'Process of a cluster',
    note: "`KUBECONFIG` names the API server; the default is the pod's service account. A renderer does not use the API server.",
    settings: PROCESS_OF_A_CLUSTER,
  },
  { title: 'Gateway', note: '', settings: GATEWAY },
  { title: 'Controller', note: '', settings: CONTROLLER },
  {
    title: 'Webhooks',
    note: 'Settings of the controller; the first two also apply to the gateway.',
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
