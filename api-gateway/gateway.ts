import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { api } from './api.ts';
import { dashboardPages } from './dashboard/pages.ts';
import { documentationPages } from './server/openapi/pages-route.ts';
import { openApiRoute } from './server/openapi/openapi-route.ts';
import { operationsRoutes } from './server/operations/routes.ts';
import { buildApplication } from './server/http/application.ts';
import { KeyCache } from './server/auth/key-cache.ts';
import { JsonBodies } from './server/body/json-body.ts';
import type { GatewayConfig } from './config.ts';
import { JobQuota } from './work/admission/job-quota.ts';
import { OwnJobs } from './work/documents/own-jobs.ts';
import { Traffic } from './server/http/closing.ts';
import { StorageQuota } from './server/quota/storage-quota.ts';
import type { RateLimitRedis } from './server/rate-limit/rate-limiting.ts';
import { Readiness, type ReadinessCheck } from '@trifold/platform/service/readiness.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { Sessions } from './sessions/sessions.ts';
import { TemplateCache } from './templates/template-cache.ts';
import { EmailCounts } from './usage/email-counts.ts';

export interface GatewayDependencies {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  /** Checks the input of callers. The creator of the pool stops it after the gateway. */
  readonly checkPool: CheckPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: GatewayConfig;
  readonly metrics: Metrics;
  /** Counts requests across all gateways when there is a rate limit. @default counts in this process only */
  readonly rateLimitRedis?: RateLimitRedis | undefined;
  /** Renders previews of documents. @default they are answered 501 */
  readonly previewRenderer?: PreviewRenderer | undefined;
  /**
   * Names of the service in the Host header, in addition to `localhost` and IP addresses; requests with others get 421.
   * @default any name, as the ingress decides
   */
  readonly hosts?: readonly string[] | undefined;
  /** Links that sign in without a key. @default none work */
  readonly signInLinks?: SignInLinks | undefined;
  /** Additional readiness checks. */
  readonly checks?: readonly ReadinessCheck[];
}

/** The HTTP service. The caller makes `app` listen. */
export interface Gateway {
  readonly app: FastifyInstance;
  /** Resolves when the keys and the gateway's own jobs are known. Until then requests are answered 503. */
  start(): Promise<void>;
  /**
   * Reports that the gateway is not ready and closes each connection after its next answer, but still accepts requests:
   * senders need time to notice. `close` must follow.
   */
  retire(): void;
  /**
   * Accepts no further connections, ends idle ones, and finishes requests in flight within `closeWaitMs` plus one
   * second. After `closeWaitMs`, requests that still wait for their document are answered 202. A second later,
   * connections that are still open are cut. Idempotent.
   */
  close(): Promise<void>;
}

/** Time in which clients may read their answers after the waits are cancelled. */
const CUT_AFTER_MS = 1_000;

/** Builds a gateway. Nothing runs before `start`. */
export async function createGateway(dependencies: GatewayDependencies): Promise<Gateway> {
  const { kubernetes, store, checkPool, clock, config, metrics, hosts } = dependencies;
  const logger = dependencies.logger.child({ component: 'gateway' });
  // Unique to this process, so that it watches only its own jobs.
  const gateway = `gw-${randomUUID()}`;
  const keys = new KeyCache(kubernetes, clock, logger);
  const jobs = new OwnJobs({ kubernetes, gateway, clock, logger });
  const jobQuota = new JobQuota({ kubernetes, ownJobs: jobs, clock, logger, most: config.maxLiveJobs });
  const storageQuota = new StorageQuota({ store, clock, logger, most: config.maxStoredBytes });
  const templateCache = new TemplateCache(kubernetes, clock, logger);
  const emailCounts = new EmailCounts({ store, accounts: keys, gateway, clock, logger });
  const parts = { keys, jobs, jobQuota, storageQuota, templateCache, emailCounts };
  const traffic = new Traffic();
  const readiness = new Readiness(ownChecks(dependencies, keys, traffic), clock, metrics);
  const endWaits = new AbortController();

  const bodies = new JsonBodies(checkPool);
  const app = await buildApplication({ config, bodies, traffic, clock, logger, metrics, hosts });
  const { sessionSecret: secret } = config;
  const sessions = secret === undefined ? undefined : new Sessions({ secret, kubernetes, keys, clock });
  if (sessions && secret !== undefined) {
    const { signInLinks: links } = dependencies;
    const oidc = config.oidc && { oidc: config.oidc, secret, sessions, keys, kubernetes, clock };
    // `HostCookie` reads cookies.
    await app.register(fastifyCookie, { hook: false });
    await app.register(sessionRoutes, { sessions, keys, config, links, oidc });
    await app.register(dashboardPages, { logger, hasLinks: links !== undefined, oidc: config.oidc });
  }
  await app.register(api, {
    ...parts,
    sessions,
    kubernetes,
    store,
    checkPool,
    clock,
    logger,
    config,
    metrics,
    gateway,
    rateLimitRedis: dependencies.rateLimitRedis,
    previewRenderer: dependencies.previewRenderer,
    stopping: endWaits.signal,
  });
  await app.register(operationsRoutes, { readiness, metrics });
  await app.register(openApiRoute);
  await app.register(documentationPages);
  await app.ready();

  let closed: Promise<void> | undefined;
  return {
    app,
    async start() {
      jobs.start();
      jobQuota.start();
      storageQuota.start();
      templateCache.start();
      await Promise.all([keys.start(), jobs.synced()]);
    },
    retire: () => traffic.retire(),
    async close() {
      closed ??= closeGateway({ app, traffic, endWaits, clock, config }, Object.values(parts));
      await closed;
    },
  };
}

interface Closeable {
  readonly app: FastifyInstance;
  readonly traffic: Traffic;
  /** Ends the waits of requests. */
  readonly endWaits: AbortController;
  readonly clock: Clock;
  readonly config: GatewayConfig;
}

async function closeGateway(
  closeable: Closeable,
  parts: readonly { stop(): Promise<void> }[],
): Promise<void> {
  const { app, traffic, endWaits, clock, config } = closeable;
  traffic.retire();
  const waitsOver = clock.schedule(config.closeWaitMs, () => endWaits.abort());
  const cut = clock.schedule(config.closeWaitMs + CUT_AFTER_MS, () => app.server.closeAllConnections());
  await app.close();
  waitsOver();
  cut();
  await Promise.all(parts.map(async (part) => part.stop()));
}

function ownChecks(
  { store, checks = [] }: GatewayDependencies,
  keys: KeyCache,
  traffic: Traffic,
): ReadinessCheck[] {
  return [
    {
      name: 'accepting',
      check: async () => failOn(traffic.retiring ? 'the gateway is stopping' : undefined),
    },
    { name: 'keys', check: async () => failOn(keys.staleness()) },
    { name: 'object-store', check: async () => store.check() },
    ...checks,
  ];
}

function failOn(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}
