import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { GATEWAY_LABEL, GENERATION_JOB, type GenerationJob } from '@trifold/crds';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { reportUnreadable } from '@trifold/platform/records/usage/unreadable-totals.ts';
import { KeyRepository } from './api-keys/key-repository.ts';
import { buildApplication } from './server/http/application.ts';
import type { Caller } from './server/auth/caller.ts';
import { KeyCache } from './server/auth/key-cache.ts';
import { BatchAcceptor } from './work/batches/batch-acceptor.ts';
import { Batches } from './work/batches/batches.ts';
import { JsonBodies } from './server/body/json-body.ts';
import type { GatewayConfig } from './config.ts';
import { EmailCompiler } from './emails/email-compiler.ts';
import { countEmails } from './emails/email-metrics.ts';
import { Documents } from './work/documents/documents.ts';
import { JobAcceptor } from './work/documents/job-acceptor.ts';
import { JobFollowers } from './work/documents/job-followers.ts';
import { JobWaiters } from './work/documents/job-waiters.ts';
import { JobQuota } from './work/admission/job-quota.ts';
import { PreparedTemplates } from './work/admission/prepared-templates.ts';
import { RequestRecords } from './server/idempotency/request-records.ts';
import { Traffic } from './server/http/closing.ts';
import type { RateLimitRedis } from './server/rate-limit/rate-limiting.ts';
import { Readiness, type ReadinessCheck } from '@trifold/platform/service/readiness.ts';
import type { Services } from './services.ts';
import { SharedCursorSealer } from './server/pagination/cursor-key.ts';
import { TemplateCache } from './templates/template-cache.ts';
import { TemplateRepository } from './templates/template-repository.ts';
import { BodyBudget } from './server/body/body-budget.ts';
import { EmailCounts } from './usage/email-counts.ts';
import { UsageReader } from './usage/usage-reader.ts';
import { EndpointUrls } from './webhooks/endpoint-urls.ts';
import { createWebhookServices } from './webhooks/webhook-services.ts';

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
  const { kubernetes, store, clock, config, metrics } = dependencies;
  const logger = dependencies.logger.child({ component: 'gateway' });
  // Unique to this process, so that it watches only its own jobs.
  const instance = `gw-${randomUUID()}`;
  const keys = new KeyCache(kubernetes, clock, logger);
  const jobs = new Informer<GenerationJob>({
    client: kubernetes.resource<GenerationJob>(GENERATION_JOB),
    selection: { labelSelector: `${GATEWAY_LABEL}=${instance}` },
    clock,
    logger,
    transform: withoutData,
  });
  const waiters = new JobWaiters(jobs, clock);
  const followers = new JobFollowers(kubernetes, clock, logger);
  metrics.gauge({
    name: 'trifold_gateway_waiting_requests',
    help: 'Requests that wait for their document.',
    collect() {
      this.set(waiters.size);
    },
  });
  const jobQuota = new JobQuota({ kubernetes, clock, logger, most: config.maxLiveJobs });
  const directory = new TemplateCache(kubernetes, clock, logger);
  const checker = new TemplateChecker(dependencies.checkPool);
  const templates = new TemplateRepository({
    kubernetes,
    store,
    clock,
    directory,
    checker,
    maxTemplateBytes: config.maxTemplateBytes,
  });
  const shared = {
    templates,
    checker,
    prepared: new PreparedTemplates(store, checker),
    dataChecker: new DataChecker(dependencies.checkPool),
  };
  const emailCounts = new EmailCounts({ store, accounts: keys, gateway: instance, clock, logger });
  const unreadable = reportUnreadable(
    logger,
    metrics.counter({
      name: 'trifold_gateway_unreadable_email_counts_total',
      help: 'Readings of an object with counts of emails that holds none.',
    }),
  );
  const emailMetric = countEmails(metrics);
  const onCompiled = (caller: Caller) => {
    emailCounts.note(caller);
    emailMetric(caller);
  };
  const emails = new EmailCompiler({ ...shared, clock, config, onCompiled });
  const cursors = new SharedCursorSealer(store);
  const urls = new EndpointUrls(config.outbound);
  const webhooks = createWebhookServices({ kubernetes, clock, logger, cursors, urls });
  const services: Services = {
    ...webhooks,
    config,
    clock,
    store,
    templates,
    directory,
    cursors,
    apiKeys: new KeyRepository({ kubernetes, clock, keys }),
    documents: new Documents({ kubernetes, store, accounts: keys, clock }),
    acceptor: new JobAcceptor({
      ...shared,
      kubernetes,
      store,
      clock,
      jobQuota,
      maxDataBytes: config.maxBodyBytes,
      urls,
      gateway: instance,
    }),
    batches: new Batches({ kubernetes, store, accounts: keys, clock }),
    batchAcceptor: new BatchAcceptor({
      ...shared,
      kubernetes,
      store,
      clock,
      jobQuota,
      dataLimits: { each: config.maxBodyBytes, together: config.maxBatchBodyBytes },
    }),
    emails,
    waiters,
    followers,
    requests: new RequestRecords(store, clock),
    usage: new UsageReader({ kubernetes, store, accounts: keys, clock, unreadable, counts: emailCounts }),
  };
  const traffic = new Traffic();
  const readiness = new Readiness(ownChecks(dependencies, keys, traffic), clock, metrics);
  const { rateLimit: limit } = config;
  const app = await buildApplication({
    services,
    keys,
    bodies: new JsonBodies(dependencies.checkPool),
    limiting: limit && { limit, redis: dependencies.rateLimitRedis },
    budget: budgetOf(config, metrics),
    readiness,
    traffic,
    clock,
    logger,
    metrics,
  });
  const { log, endpointTests } = webhooks;
  const stoppable = { keys, jobs, jobQuota, directory, emails, emailCounts, log, endpointTests };
  let closed: Promise<void> | undefined;
  return {
    app,
    async start() {
      jobs.start();
      jobQuota.start();
      directory.start();
      await Promise.all([keys.start(), jobs.synced()]);
    },
    retire: () => traffic.retire(),
    async close() {
      const waits = [waiters, followers, endpointTests];
      closed ??= closeGateway({ app, traffic, waits, clock, config }, stoppable);
      await closed;
    },
  };
}

function budgetOf({ bodyBudgetBytes, keyBodyBudgetBytes }: GatewayConfig, metrics: Metrics): BodyBudget {
  const budget = new BodyBudget({ total: bodyBudgetBytes, perKey: keyBodyBudgetBytes });
  metrics.gauge({
    name: 'trifold_gateway_request_body_bytes',
    help: 'Bytes of the bodies of requests in flight.',
    collect() {
      this.set(budget.total);
    },
  });
  return budget;
}

interface Closeable {
  readonly app: FastifyInstance;
  readonly traffic: Traffic;
  readonly waits: readonly { cancelAll(): void }[];
  readonly clock: Clock;
  readonly config: GatewayConfig;
}

async function closeGateway(
  closeable: Closeable,
  stoppable: Readonly<Record<string, { stop(): Promise<void> }>>,
): Promise<void> {
  const { app, traffic, waits, clock, config } = closeable;
  traffic.retire();
  const endWaits = clock.schedule(config.closeWaitMs, () => {
    for (const wait of waits) wait.cancelAll();
  });
  const cut = clock.schedule(config.closeWaitMs + CUT_AFTER_MS, () => app.server.closeAllConnections());
  await app.close();
  endWaits();
  cut();
  await Promise.all(Object.values(stoppable).map(async (part) => part.stop()));
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

/** Waiters need the outcome of a job, not its data. */
function withoutData(job: GenerationJob): GenerationJob {
  const { data: _data, ...spec } = job.spec;
  return { ...job, spec };
}
