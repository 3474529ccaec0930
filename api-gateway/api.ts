import type { FastifyPluginAsync } from 'fastify';
import type { GenerationJob } from '@trifold/crds';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import type { ReadinessCheck } from '@trifold/platform/process/readiness.ts';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { KeyRepository } from './api-keys/key-repository.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import type { GatewayConfig } from './config.ts';
import { EmailCompiler } from './emails/email-compiler.ts';
import { emailRoutes } from './emails/routes.ts';
import { previewRoutes } from './previews/routes.ts';
import { requestRecording } from './requests/request-recording.ts';
import type { RequestLog } from './requests/request-log.ts';
import { requestRoutes } from './requests/routes.ts';
import { authentication } from './server/auth/authentication.ts';
import type { KeyCache } from './server/auth/key-cache.ts';
import { bodyBudgets } from './server/body/body-budgets.ts';
import type { StorageQuota } from './server/quota/storage-quota.ts';
import { rateLimiting, type RateLimitRedis } from './server/rate-limit/rate-limiting.ts';
import { templateRoutes } from './templates/routes.ts';
import type { Sessions } from './sessions/sessions.ts';
import { sampleRoutes } from './templates/sample-routes.ts';
import type { TemplateCache } from './templates/template-cache.ts';
import { TemplateRepository } from './templates/template-repository.ts';
import { versionRoutes } from './templates/version-routes.ts';
import type { EmailCounts } from './usage/email-counts.ts';
import { usageRoutes } from './usage/routes.ts';
import { EndpointUrls } from './webhooks/endpoint-urls.ts';
import { webhooks } from './webhooks/plugin.ts';
import type { UnfinishedDocumentsQuota } from './work/admission/unfinished-documents-quota.ts';
import { PreparedTemplates } from './templates/prepared-templates.ts';
import { work } from './work/plugin.ts';

export interface GatewayDependencies {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  /** Checks request input. The pool's creator stops it after the gateway. */
  readonly checkPool: CheckPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: GatewayConfig;
  readonly metrics: Metrics;
  /** Counts requests across all gateways if there is a rate limit. @default each process counts separately */
  readonly rateLimitRedis?: RateLimitRedis | undefined;
  /** Renders document previews. @default previews get 501 */
  readonly previewRenderer?: PreviewRenderer | undefined;
  /**
   * Host names of the service, in addition to `localhost` and IP addresses; requests for other hosts get 421.
   * @default any name: the ingress decides
   */
  readonly hosts?: readonly string[] | undefined;
  /** Links that sign in without a key. @default disabled */
  readonly signInLinks?: SignInLinks | undefined;
  /** Additional readiness checks. */
  readonly checks?: readonly ReadinessCheck[];
}

export interface ApiOptions extends GatewayDependencies {
  /** Unique to this process. */
  readonly gateway: string;
  readonly keys: KeyCache;
  /** Undefined: sign-in is disabled. */
  readonly sessions: Sessions | undefined;
  /** This gateway's jobs. */
  readonly jobs: Informer<GenerationJob>;
  readonly jobQuota: UnfinishedDocumentsQuota;
  readonly storageQuota: StorageQuota;
  readonly templateCache: TemplateCache;
  readonly emailCounts: EmailCounts;
  readonly requestLog: RequestLog;
  /** Ends the waits of synchronous requests. */
  readonly stopping: AbortSignal;
}

/** The routes that require an API key, one plugin per feature. */
export const api: FastifyPluginAsync<ApiOptions> = async (app, options) => {
  const { kubernetes, store, checkPool, clock, config, metrics, keys, templateCache } = options;
  await app.register(authentication, { keys, sessions: options.sessions });
  await app.register(requestRecording, { log: options.requestLog });
  const { rateLimit: limit } = config;
  if (limit) await app.register(rateLimiting, { limit, redis: options.rateLimitRedis });
  await app.register(bodyBudgets, { config, clock, metrics });

  const urls = new EndpointUrls(config.outbound);
  const checker = new TemplateChecker(checkPool);
  const dataChecker = new DataChecker(checkPool);
  const prepared = new PreparedTemplates({ kubernetes, store, checker, config });
  const templates = new TemplateRepository({ ...options, checker });

  await app.register(templateRoutes, { templates, cache: templateCache, config });
  await app.register(versionRoutes, { templates, store });
  await app.register(sampleRoutes, { templates, config });
  await app.register(work, { ...options, prepared, checker, dataChecker, accounts: keys, urls });
  const emails = new EmailCompiler({ prepared, dataChecker, clock, config });
  app.addHook('onClose', async () => emails.stop());
  await app.register(emailRoutes, { emails, counts: options.emailCounts, metrics });
  const renderer = options.previewRenderer;
  await app.register(previewRoutes, { ...options, templates, renderer, emails, checker, dataChecker });
  const apiKeys = new KeyRepository({ kubernetes, clock, keys, maxKeys: config.maxKeys });
  await app.register(apiKeyRoutes, { apiKeys });
  await app.register(usageRoutes, { ...options, prices: config.prices });
  await app.register(requestRoutes, { log: options.requestLog, keys });
  await app.register(webhooks, { ...options, urls, publishedKey: config.publishedKey });
};
