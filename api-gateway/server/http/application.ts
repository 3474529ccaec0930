import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { newId } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { HEADER_TIMEOUTS } from '@trifold/platform/process/http-timeouts.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { GatewayConfig } from '../../config.ts';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { respondToBrokenRequest, httpConformance, type BrokenRequestOptions } from './broken-requests.ts';
import { closing } from './closing.ts';
import { ownHosts } from './own-hosts.ts';
import { errorHandling, sendError } from '../errors/error-handling.ts';
import { hasUnreadBody, unreadBodies } from '../body/unread-bodies.ts';
import { unsentResponses } from '../responses/unsent-responses.ts';
import { jsonBodies } from '../body/json-bodies.ts';
import { openApi } from '../openapi/plugin.ts';
import { admitPipelined, pipelining } from './pipelining.ts';
import { requestObservation, RequestObserver } from './request-observation.ts';
import { requestValidation } from './request-validation.ts';
import { unknownRoutes } from './unknown-routes.ts';

export interface ApplicationOptions {
  readonly config: Pick<GatewayConfig, 'logRequests' | 'maxBodyBytes' | 'keepAliveMs'>;
  readonly checkPool: CheckPool;
  /** Aborts when the gateway is about to stop: it still accepts requests but should not be sent any more. */
  readonly retiring: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Host names of the service, to check the Host header against. @default no check */
  readonly hosts?: readonly string[] | undefined;
}

/** Time within which a request must arrive; slower clients are cut off. */
const REQUEST_TIMEOUT_MS = 60_000;
/** IDs are at most 253 characters; percent-encoded, they can be three times as long. */
const MAX_PARAMETER_LENGTH = 1_000;

/** Builds the HTTP application with the plugins that every route needs. It has no routes yet. */
export async function buildApplication(options: ApplicationOptions): Promise<FastifyInstance> {
  const { metrics, hosts } = options;
  const { logRequests } = options.config;
  const newRequestId = () => newId('req', options.clock.now());
  const observer = new RequestObserver({ metrics, logger: options.logger, logRequests });
  const app = createServer(options, { newRequestId, observer, clock: options.clock });
  // Order matters: plugins handle requests in this order.
  await app.register(pipelining);
  await app.register(errorHandling);
  await app.register(requestObservation, { observer });
  await app.register(closing, { retiring: options.retiring });
  await app.register(httpConformance, { newRequestId, observer, clock: options.clock });
  if (hosts) await app.register(ownHosts, { names: hosts });
  await app.register(unknownRoutes);
  await app.register(unsentResponses, { clock: options.clock, metrics });
  await app.register(unreadBodies, { clock: options.clock });
  await app.register(jsonBodies, { pool: options.checkPool });
  await app.register(requestValidation);
  await app.register(openApi);
  return app;
}

function createServer({ config, logger }: ApplicationOptions, broken: BrokenRequestOptions): FastifyInstance {
  const { maxBodyBytes, keepAliveMs } = config;
  const { newRequestId, observer } = broken;
  // Pino's own type would become part of every plugin's type.
  const log: FastifyBaseLogger = logger;
  return fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: maxBodyBytes,
    // A plugin checks this and responds in the common error format.
    http: { requireHostHeader: false, ...HEADER_TIMEOUTS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    // No hook runs for these errors.
    frameworkErrors(error, request, reply) {
      if (!admitPipelined(request.raw, reply.raw)) return;
      reply.raw.once('finish', () => observer.answered(request, reply));
      if (hasUnreadBody(request.raw)) reply.header('connection', 'close');
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => respondToBrokenRequest(error, socket, broken),
  });
}
