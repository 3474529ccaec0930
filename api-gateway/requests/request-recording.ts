import { isResourceName } from '@trifold/crds';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { hasKey } from '../server/auth/authentication.ts';
import type { Caller } from '../server/auth/caller.ts';
import { isFailed, type LoggedRequest } from './logged-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields of the response body that the request log uses. */
    responseParts: ResponseParts | undefined;
  }
}

type ResponseParts = Pick<LoggedRequest, 'code' | 'resource_id' | 'template_id'>;

const NO_PARTS: ResponseParts = { code: null, resource_id: null, template_id: null };

/**
 * Adds failed requests and successful writes with a valid key to the request log, on the routes registered in the same
 * context. Leaves out successful reads and previews, and everything that the dashboard sends: it shows its errors
 * itself, and its editor would fill the log.
 */
export const requestRecording = fastifyPlugin(
  async (
    app: FastifyInstance,
    { log }: { readonly log: { add(account: string, request: LoggedRequest): void } },
  ) => {
    app.decorateRequest('responseParts', undefined);
    app.addHook('preSerialization', (request, reply, payload, done) => {
      // Responses without a body have a null payload.
      if (payload && isRecorded(request, reply)) request.responseParts = partsOf(payload);
      done(null, payload);
    });
    app.addHook('onResponse', (request, reply, done) => {
      if (isRecorded(request, reply)) log.add(request.caller.account, loggedRequest(request, reply));
      done();
    });
  },
  { name: 'request-recording', dependencies: ['authentication'] },
);

function isRecorded(request: FastifyRequest, { statusCode: status }: FastifyReply): boolean {
  const { method, routeOptions } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const isPreview = routeOptions.url?.endsWith('/preview') === true;
  if (!isFailed({ status }) && (isRead || isPreview)) return false;
  return (request.caller as Caller | undefined) !== undefined && hasKey(request);
}

function loggedRequest(request: FastifyRequest, reply: FastifyReply): LoggedRequest {
  const { responseParts: parts = NO_PARTS, caller, params } = request;
  return {
    request_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? '',
    status: reply.statusCode,
    code: isFailed({ status: reply.statusCode }) ? parts.code : null,
    key_id: caller.keyId,
    duration_ms: Math.round(reply.elapsedTime),
    resource_id: parts.resource_id ?? documentOfFile(reply) ?? nameOf((params as { id?: unknown }).id),
    template_id: parts.template_id ?? caller.foundTemplate ?? null,
  };
}

/** Reads the fields of a response or an error that the service has set. */
function partsOf(payload: object): ResponseParts {
  const { id, template_id, code, missingScopes, document } = payload as Readonly<Record<string, unknown>>;
  const failed = document as { id?: unknown; template_id?: unknown } | undefined;
  return {
    // The interface defines this error's body, which has no code.
    code: missingScopes === undefined ? ((code as string | undefined) ?? null) : 'insufficient_scope',
    resource_id: nameOf(id ?? failed?.id),
    template_id: nameOf(template_id ?? failed?.template_id),
  };
}

/** Returns the document whose file is the response. */
function documentOfFile(reply: FastifyReply): string | null {
  const [, id] = /^\/v1\/generate\/([^/]+)\//.exec(String(reply.getHeader('content-location'))) ?? [];
  return nameOf(id);
}

/** Keeps only valid resource names, which excludes API keys, for example. */
function nameOf(id: unknown): string | null {
  return typeof id === 'string' && isResourceName(id) ? id : null;
}
