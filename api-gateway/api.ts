import type { FastifyPluginAsync } from 'fastify';
import type { GenerationJob } from '@trifold/crds';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { KeyRepository } from './api-keys/key-repository.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import type { GatewayConfig } from './config.ts';
import { EmailCompiler } from './emails/email-compiler.ts';
import { emailRoutes } from './emails/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import { authentication } from './server/auth/authentication.ts';
import type { KeyCache } from './server/auth/key-cache.ts';
import { bodyBudgets, requestBodyBudget } from './server/body/body-budgets.ts';
import type { ByteBudget } from './server/budget/byte-budget.ts';
import { SharedCursorSealer } from './server/pagination/cursor-key.ts';
import type { StorageQuota } from './server/quota/storage-quota.ts';
import { rateLimiting, type RateLimitRedis } from './server/rate-limit/rate-limiting.ts';
import { templateRoutes } from './templates/routes.ts';
import type { Sessions } from './sessions/sessions.ts';
import { sampleRoutes } from './templates/sample-routes.ts';
import type { TemplateCache } from './templates/template-cache.ts';
import { TemplateRepository } from './templates/template-repository.ts';
import { TemplateVersions } from './templates/template-versions.ts';
import { versionRoutes } from './templates/version-routes.ts';
import type { EmailCounts } from './usage/email-counts.ts';
import { usageRoutes } from './usage/routes.ts';
import { EndpointUrls } from './webhooks/endpoint-urls.ts';
import { webhooks } from './webhooks/plugin.ts';
import type { JobQuota } from './work/admission/job-quota.ts';
import { PreparedTemplates } from './work/admission/prepared-templates.ts';
import { work } from './work/plugin.ts';

export interface ApiOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly checkPool: CheckPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: GatewayConfig;
  readonly metrics: Metrics;
  /** Unique to this process. */
  readonly gateway: string;
  readonly keys: KeyCache;
  /** Undefined: nobody can sign in. */
  readonly sessions: Sessions | undefined;
  /** The jobs of this gateway. */
  readonly jobs: Informer<GenerationJob>;
  readonly jobQuota: JobQuota;
  readonly storageQuota: StorageQuota;
  readonly templateCache: TemplateCache;
  readonly emailCounts: EmailCounts;
  /** Counts requests across all gateways when there is a rate limit. @default counts in this process only */
  readonly rateLimitRedis: RateLimitRedis | undefined;
  /** @default previews of documents are answered 501 */
  readonly previewRenderer: PreviewRenderer | undefined;
  /** Ends the waits of requests. */
  readonly stopping: AbortSignal;
}

/** The routes that need an API key: one plugin for each feature. */
export const api: FastifyPluginAsync<ApiOptions> = async (app, options) => {
  const { kubernetes, store, checkPool, clock, logger, config, metrics } = options;
  const { gateway, keys, sessions, jobs, jobQuota, storageQuota, templateCache, emailCounts, stopping } =
    options;
  await app.register(authentication, { keys, sessions });
  const { rateLimit: limit, minUploadRate } = config;
  if (limit) await app.register(rateLimiting, { limit, redis: options.rateLimitRedis });
  await app.register(bodyBudgets, { budget: budgetOf(config, metrics), minUploadRate, clock });

  const cursors = new SharedCursorSealer(store);
  const urls = new EndpointUrls(config.outbound);
  const checker = new TemplateChecker(checkPool);
  const dataChecker = new DataChecker(checkPool);
  const prepared = new PreparedTemplates(store, checker);
  const templates = new TemplateRepository({
    kubernetes,
    store,
    clock,
    directory: templateCache,
    checker,
    logger,
    storageQuota,
    maxTemplates: config.maxTemplates,
    maxTemplateBytes: config.maxTemplateBytes,
  });
  const apiKeys = new KeyRepository({ kubernetes, clock, keys, maxKeys: config.maxKeys });

  await app.register(templateRoutes, { templates, cache: templateCache, cursors });
  const versions = new TemplateVersions({ templates, store, cursors });
  await app.register(versionRoutes, { templates, versions });
  await app.register(sampleRoutes, { templates });
  await app.register(work, {
    kubernetes,
    store,
    clock,
    logger,
    metrics,
    config,
    jobQuota,
    storageQuota,
    templates,
    prepared,
    checker,
    dataChecker,
    accounts: keys,
    urls,
    templateCache,
    cursors,
    jobs,
    gateway,
    stopping,
  });
  const emails = new EmailCompiler({ templates, prepared, dataChecker, clock, config });
  app.addHook('onClose', async () => emails.stop());
  await app.register(emailRoutes, { emails, counts: emailCounts, metrics });
  const renderer = options.previewRenderer;
  await app.register(previewRoutes, { renderer, emails, checker, dataChecker, clock, config, stopping });
  await app.register(apiKeyRoutes, { apiKeys, cursors });
  await app.register(usageRoutes, {
    kubernetes,
    store,
    storageQuota,
    prices: config.prices,
    clock,
  });
  const { publishedKey } = config;
  await app.register(webhooks, { kubernetes, clock, logger, cursors, urls, publishedKey, stopping });
};

function budgetOf({ bodyBudgetBytes, keyBodyBudgetBytes }: GatewayConfig, metrics: Metrics): ByteBudget {
  const budget = requestBodyBudget({ total: bodyBudgetBytes, perKey: keyBodyBudgetBytes });
  metrics.gauge({
    name: 'trifold_gateway_request_body_bytes',
    help: 'Bytes of the bodies of requests in flight.',
    collect() {
      this.set(budget.total);
    },
  });
  return budget;
}
