import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { newId } from '@trifold/crds';
import type { Clock } from '@trifold/platform/clock.ts';
import type { Logger } from '@trifold/platform/logging.ts';
import type { Metrics } from '@trifold/platform/metrics.ts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { KeyDirectory } from './authentication/key-directory.ts';
import type { JsonBodies } from './body/json-body.ts';
import { authentication } from './plugins/authentication.ts';
import { bodyBudgets } from './plugins/body-budgets.ts';
import {
  answerBrokenRequest,
  httpConformance,
  type BrokenRequestOptions,
} from './plugins/broken-requests.ts';
import { closing, type Traffic } from './plugins/closing.ts';
import { errorHandling, sendError } from './plugins/error-handling.ts';
import { jsonBodies } from './plugins/json-bodies.ts';
import { openApi } from './plugins/openapi.ts';
import { rateLimiting, type RateLimitingOptions } from './plugins/rate-limiting.ts';
import { requestObservation, RequestObserver } from './plugins/request-observation.ts';
import { requestValidation } from './plugins/request-validation.ts';
import { unknownRoutes } from './plugins/unknown-routes.ts';
import type { BodyBudget } from './uploads/body-budget.ts';
import type { Readiness } from '@trifold/platform/operations/readiness.ts';
import { createApiKey } from './routes/api-keys/create.ts';
import { listApiKeys } from './routes/api-keys/list.ts';
import { readApiKey } from './routes/api-keys/read.ts';
import { revokeApiKey } from './routes/api-keys/revoke.ts';
import { readBilling } from './routes/billing/read.ts';
import { createBatch } from './routes/batches/create.ts';
import { downloadBatch } from './routes/batches/download.ts';
import { downloadBatchItem } from './routes/batches/download-item.ts';
import { readBatch } from './routes/batches/read.ts';
import { documentationPages } from './routes/documentation/pages.ts';
import { readOpenApi } from './routes/documentation/openapi.ts';
import { compileEmail } from './routes/emails/compile.ts';
import { createDocument } from './routes/generate/create.ts';
import { downloadDocument } from './routes/generate/download.ts';
import { readDocument } from './routes/generate/read.ts';
import { createHook } from './routes/hooks/create.ts';
import { deleteHook } from './routes/hooks/delete.ts';
import { listHooks } from './routes/hooks/list.ts';
import { readHook } from './routes/hooks/read.ts';
import { healthz } from './routes/operations/healthz.ts';
import { metricsRoute } from './routes/operations/metrics.ts';
import { readyz } from './routes/operations/readyz.ts';
import { createTemplate } from './routes/templates/create.ts';
import { deleteTemplate } from './routes/templates/delete.ts';
import { listTemplatesRoute } from './routes/templates/list.ts';
import { readTemplate } from './routes/templates/read.ts';
import { updateTemplate } from './routes/templates/update.ts';
import { readUsage } from './routes/usage/read.ts';
import { deleteWebhookSettings } from './routes/webhooks/delete-settings.ts';
import { listDeliveries } from './routes/webhooks/list-deliveries.ts';
import { readDelivery } from './routes/webhooks/read-delivery.ts';
import { readWebhookSettings } from './routes/webhooks/read-settings.ts';
import { retryDelivery } from './routes/webhooks/retry-delivery.ts';
import { saveWebhookSettings } from './routes/webhooks/save-settings.ts';
import { testWebhookSettings } from './routes/webhooks/test-settings.ts';
import type { Application, Services } from './services.ts';

export interface ApplicationOptions {
  readonly services: Services;
  readonly keys: KeyDirectory;
  readonly bodies: JsonBodies;
  /** Undefined where every key may send as much as it likes. */
  readonly limiting: RateLimitingOptions | undefined;
  /** Of the bodies of all requests. */
  readonly budget: BodyBudget;
  readonly readiness: Readiness;
  readonly traffic: Traffic;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** A client that sends its request slower than this is cut off. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Ids are at most 253 characters; percent-encoded they may be three times as long. */
const LONGEST_PARAMETER = 1_000;

/** The HTTP application: plugins by concern, then the routes. Resolves when it can take requests. */
export async function buildApplication(options: ApplicationOptions): Promise<FastifyInstance> {
  const { services, metrics } = options;
  const { logRequests } = services.config;
  const newRequestId = () => newId('req', options.clock.now());
  const observer = new RequestObserver({ metrics, logger: options.logger, logRequests });
  const app = createServer(options, { newRequestId, observer });
  // Order matters: what runs first for a request comes first.
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
  // Not pino's own type, which would become part of every plugin's.
  const log: FastifyBaseLogger = logger;
  return fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: maxBodyBytes,
    // Checked by a plugin, which answers in the common shape.
    http: { requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // No hook runs for these.
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
