import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { api, type GatewayDependencies } from './api.ts';
import { dashboardPages } from './dashboard/pages.ts';
import { apiReference } from './documentation/reference-route.ts';
import { documentationSite } from './documentation/site.ts';
import { openApiRoute } from './server/openapi/plugin.ts';
import { operationsRoutes } from './server/operations/routes.ts';
import { buildApplication } from './server/http/application.ts';
import { KeyCache } from './server/auth/key-cache.ts';
import { UnfinishedDocumentsQuota } from './work/admission/unfinished-documents-quota.ts';
import { RequestLog } from './requests/request-log.ts';
import { OwnJobs } from './work/documents/job-waiters.ts';
import { StorageQuota } from './server/quota/storage-quota.ts';
import { Readiness, type ReadinessCheck } from '@trifold/platform/process/readiness.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { Sessions } from './sessions/sessions.ts';
import { TemplateCache } from './templates/template-cache.ts';
import { EmailCounts } from './usage/email-counts.ts';

import fastifyCookie from '@fastify/cookie';

/** The HTTP service. The caller calls `listen` on `app`. */
export interface Gateway {
  readonly app: FastifyInstance;
  /** Resolves when the keys and the gateway's own jobs are loaded. Until then requests get 503. */
  start(): Promise<void>;
  /**
   * Reports that the gateway is not ready and closes each connection after its next response, but still accepts
   * requests, because clients need time to notice. Call `close` afterwards.
   */
  retire(): void;
  /**
   * Accepts no further connections, ends idle ones, and finishes requests in flight within `closeWaitMs` plus one
   * second. After `closeWaitMs`, requests still waiting for their document get 202. A second later, connections that
   * are still open are cut. Idempotent.
   */
  close(): Promise<void>;
}

/** Time for clients to read their responses after the waits are cancelled. */
const CUT_AFTER_MS = 1_000;

/** Builds a gateway. Nothing runs before `start`. */
export async function createGateway(dependencies: GatewayDependencies): Promise<Gateway> {
  const { kubernetes, store, clock, config, metrics } = dependencies;
  const logger = dependencies.logger.child({ component: 'gateway' });
  // The name is unique to this process, so the process watches only the jobs it created.
  const gateway = `gw-${randomUUID()}`;
  const keys = new KeyCache(kubernetes, clock, logger);
  const jobs = new OwnJobs(kubernetes, gateway, clock, logger);
  const jobQuota = new UnfinishedDocumentsQuota(config.maxUnfinishedDocuments, jobs, kubernetes, {
    clock,
    logger,
  });
  const storageQuota = new StorageQuota(config.maxStoredBytes, store, { clock, logger });
  const templateCache = new TemplateCache(kubernetes, clock, logger);
  const emailCounts = new EmailCounts({ store, accounts: keys, gateway, clock, logger });
  const requestLog = new RequestLog({ store, accounts: keys, gateway, clock, logger });
  const parts = { requestLog, keys, jobs, jobQuota, storageQuota, templateCache, emailCounts };
  const retiring = new AbortController();
  const endWaits = new AbortController();
  const readiness = new Readiness(ownChecks(dependencies, keys, retiring.signal), clock, metrics);

  const app = await buildApplication({ ...dependencies, logger, retiring: retiring.signal });
  const { sessionSecret: secret } = config;
  const sessions = secret === undefined ? undefined : new Sessions({ secret, kubernetes, keys, clock });
  if (sessions && secret !== undefined) {
    const { signInLinks: links } = dependencies;
    const oidc = config.oidc && { oidc: config.oidc, secret, sessions, keys, kubernetes, clock };
    // `SealedCookie` reads cookies.
    await app.register(fastifyCookie, { hook: false });
    await app.register(sessionRoutes, { sessions, keys, config, links, oidc });
    await app.register(dashboardPages, { logger, hasLinks: links !== undefined, oidc: config.oidc });
  }
  await app.register(api, {
    ...dependencies,
    ...parts,
    logger,
    gateway,
    sessions,
    stopping: endWaits.signal,
  });
  await app.register(operationsRoutes, { readiness, metrics });
  await app.register(openApiRoute);
  await app.register(documentationSite, { logger });
  await app.register(apiReference);
  await app.ready();

  let closed: Promise<void> | undefined;
  return {
    app,
    async start() {
      jobs.start();
      jobQuota.start();
      storageQuota.start();
      await Promise.all([keys.start(), jobs.synced()]);
      // Only template lists wait for it, because reading templates may take a long time.
      templateCache.start();
    },
    retire: () => retiring.abort(),
    async close() {
      closed ??= close();
      await closed;
    },
  };

  async function close(): Promise<void> {
    const { closeWaitMs } = config;
    retiring.abort();
    const waitsOver = clock.schedule(closeWaitMs, () => endWaits.abort());
    const cut = clock.schedule(closeWaitMs + CUT_AFTER_MS, () => app.server.closeAllConnections());
    await app.close();
    waitsOver();
    cut();
    await Promise.all(Object.values(parts).map(async (part) => part.stop()));
  }
}

function ownChecks(
  { store, checks = [] }: GatewayDependencies,
  keys: KeyCache,
  retiring: AbortSignal,
): ReadinessCheck[] {
  return [
    {
      name: 'accepting',
      check: async () => failOn(retiring.aborted ? 'the gateway is stopping' : undefined),
    },
    { name: 'keys', check: async () => failOn(keys.staleness()) },
    { name: 'object-store', check: async () => store.check() },
    ...checks,
  ];
}

function failOn(reason: string | undefined): void {
  if (reason !== undefined) throw new Error(reason);
}
