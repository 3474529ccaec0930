import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { newId } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { KeyCache } from '../auth/key-cache.ts';
import type { JsonBodies } from '../body/json-body.ts';
import { authentication } from '../auth/authentication.ts';
import { bodyBudgets } from '../body/body-budgets.ts';
import { answerBrokenRequest, httpConformance, type BrokenRequestOptions } from './broken-requests.ts';
import { closing, type Traffic } from './closing.ts';
import { errorHandling, sendError } from '../errors/error-handling.ts';
import { jsonBodies } from '../body/json-bodies.ts';
import { openApi } from '../openapi/plugin.ts';
import { rateLimiting, type RateLimitingOptions } from '../rate-limit/rate-limiting.ts';
import { requestObservation, RequestObserver } from './request-observation.ts';
import { requestValidation } from './request-validation.ts';
import { unknownRoutes } from './unknown-routes.ts';
import type { BodyBudget } from '../body/body-budget.ts';
import type { Readiness } from '@trifold/platform/service/readiness.ts';
import { createApiKey } from '../../api-keys/routes/create.ts';
import { listApiKeys } from '../../api-keys/routes/list.ts';
import { readApiKey } from '../../api-keys/routes/read.ts';
import { revokeApiKey } from '../../api-keys/routes/revoke.ts';
import { readBilling } from '../../usage/routes/read-billing.ts';
import { createBatch } from '../../work/batches/routes/create.ts';
import { downloadBatch } from '../../work/batches/routes/download.ts';
import { downloadBatchItem } from '../../work/batches/routes/download-item.ts';
import { readBatch } from '../../work/batches/routes/read.ts';
import { documentationPages } from '../openapi/pages-route.ts';
import { readOpenApi } from '../openapi/openapi-route.ts';
import { compileEmail } from '../../emails/routes/compile.ts';
import { createDocument } from '../../work/documents/routes/create.ts';
import { downloadDocument } from '../../work/documents/routes/download.ts';
import { readDocument } from '../../work/documents/routes/read.ts';
import { createHook } from '../../webhooks/hooks/routes/create.ts';
import { deleteHook } from '../../webhooks/hooks/routes/delete.ts';
import { listHooks } from '../../webhooks/hooks/routes/list.ts';
import { readHook } from '../../webhooks/hooks/routes/read.ts';
import { healthz } from '../operations/healthz.ts';
import { metricsRoute } from '../operations/metrics.ts';
import { readyz } from '../operations/readyz.ts';
import { createTemplate } from '../../templates/routes/create.ts';
import { deleteTemplate } from '../../templates/routes/delete.ts';
import { listTemplatesRoute } from '../../templates/routes/list.ts';
import { readTemplate } from '../../templates/routes/read.ts';
import { updateTemplate } from '../../templates/routes/update.ts';
import { readUsage } from '../../usage/routes/read-usage.ts';
import { deleteWebhookSettings } from '../../webhooks/settings/routes/delete-settings.ts';
import { listDeliveries } from '../../webhooks/deliveries/routes/list-deliveries.ts';
import { readDelivery } from '../../webhooks/deliveries/routes/read-delivery.ts';
import { readWebhookSettings } from '../../webhooks/settings/routes/read-settings.ts';
import { retryDelivery } from '../../webhooks/deliveries/routes/retry-delivery.ts';
import { saveWebhookSettings } from '../../webhooks/settings/routes/save-settings.ts';
import { testWebhookSettings } from '../../webhooks/settings/routes/test-settings.ts';
import type { Application, Services } from '../../services.ts';

export interface ApplicationOptions {
  readonly services: Services;
  readonly keys: KeyCache;
  readonly bodies: JsonBodies;
  /** Undefined without a rate limit. */
  readonly limiting: RateLimitingOptions | undefined;
  /** Limit on the bodies of all requests in flight. */
  readonly budget: BodyBudget;
  readonly readiness: Readiness;
  readonly traffic: Traffic;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Time in which a request must arrive; a slower client is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Ids are at most 253 characters; percent-encoded they may be three times as long. */
const LONGEST_PARAMETER = 1_000;

/** Builds the HTTP application: plugins by concern, then the routes. Resolves when it can accept requests. */
export async function buildApplication(options: ApplicationOptions): Promise<FastifyInstance> {
  const { services, metrics } = options;
  const { logRequests } = services.config;
  const newRequestId = () => newId('req', options.clock.now());
  const observer = new RequestObserver({ metrics, logger: options.logger, logRequests });
  const app = createServer(options, { newRequestId, observer });
  // Order matters: plugins handle a request in this order.
  await app.register(errorHandling);
  await app.register(requestObservation, { observer });
  await app.register(closing, { traffic: options.traffic });
  await app.register(httpConformance, { newRequestId, observer });
  await app.register(unknownRoutes);
  await app.register(jsonBodies, { bodies: options.bodies });
  await app.register(requestValidation);
  await app.register(openApi);
  await app.register(async (guarded) => registerApi(typed(guarded), options));
  await app.register(async (open) => registerOpenRoutes(typed(open), options));
  await app.ready();
  return app;
}

function createServer(
  { services, logger }: ApplicationOptions,
  { newRequestId, observer }: BrokenRequestOptions,
): FastifyInstance {
  const { maxBodyBytes } = services.config;
  // Pino's own type would become part of every plugin's type.
  const log: FastifyBaseLogger = logger;
  return fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: maxBodyBytes,
    // A plugin checks it and answers in the common error format.
    http: { requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // No hook runs for these errors.
    frameworkErrors(error, request, reply) {
      reply.raw.once('finish', () => observer.answered(request, reply));
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, { newRequestId, observer }),
  });
}

function registerOpenRoutes(app: Application, { readiness, metrics }: ApplicationOptions): void {
  healthz(app);
  readyz(app, readiness);
  metricsRoute(app, metrics);
  readOpenApi(app);
  documentationPages(app);
}

async function registerApi(
  app: Application,
  { services, keys, limiting, budget, clock }: ApplicationOptions,
): Promise<void> {
  await app.register(authentication, { keys });
  if (limiting) await app.register(rateLimiting, limiting);
  const { minUploadRate } = services.config;
  await app.register(bodyBudgets, { budget, minUploadRate, clock });
  createTemplate(app, services);
  listTemplatesRoute(app, services);
  readTemplate(app, services);
  updateTemplate(app, services);
  deleteTemplate(app, services);
  createDocument(app, services);
  readDocument(app, services);
  downloadDocument(app, services);
  createBatch(app, services);
  readBatch(app, services);
  downloadBatch(app, services);
  downloadBatchItem(app, services);
  compileEmail(app, services);
  createApiKey(app, services);
  listApiKeys(app, services);
  readApiKey(app, services);
  revokeApiKey(app, services);
  readUsage(app, services);
  readBilling(app, services);
  saveWebhookSettings(app, services);
  readWebhookSettings(app, services);
  deleteWebhookSettings(app, services);
  testWebhookSettings(app, services);
  listDeliveries(app, services);
  readDelivery(app, services);
  retryDelivery(app, services);
  createHook(app, services);
  listHooks(app, services);
  readHook(app, services);
  deleteHook(app, services);
}

function typed(app: FastifyInstance): Application {
  return app.withTypeProvider<TypeBoxTypeProvider>();
}
