import { mediaTypeOf, type DocumentFormat } from '@trifold/crds';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import { wantsFile } from '../accept-header.ts';
import { fileUrlOf, viewOf } from '../document-view.ts';
import type { StoredDocument } from '../documents.ts';
import { sendFile } from '../file-response.ts';
import type { GenerateBody } from '../generate-body.ts';
import { generate, generateOnce } from '../generate-once.ts';
import { idempotencyKeyOf } from '@trifold/api-gateway/server/idempotency/idempotency-key.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { disconnection } from '@trifold/api-gateway/server/http/disconnection.ts';
import { schema } from './create-schema.ts';

/**
 * POST /v1/generate: synchronous, `async: true`, or the file itself for an Accept of its media type. Requests with the
 * same Idempotency-Key create one document.
 */
export function createDocument(app: Application, services: Services): void {
  app.post('/v1/generate', { schema }, async (request, reply) => {
    const { accept } = request.headers;
    checkAccept(accept, request.body);
    const document = await documentFor(services, request, reply);
    if (request.body.async === true || document.status === 'processing') {
      return reply.code(202).send(viewOf(document));
    }
    if (!mayStream(request.body) || !wantsFile(accept, document.facts.format)) {
      return reply.code(200).send(viewOf(document));
    }
    if (document.status === 'failed') throw generationFailed(document);
    reply.header('content-location', fileUrlOf(document.facts.job));
    return sendFile(request, reply, document, services.store);
  });
}

/** Interface, "Generation": no file is streamed when async is true or webhook_url is set. */
function mayStream({ async: asynchronous, webhook_url }: GenerateBody): boolean {
  return asynchronous !== true && webhook_url === undefined;
}

/** A caller that asks for a PDF and would save the body as one must not get another format. */
function checkAccept(accept: string | undefined, body: GenerateBody): void {
  const { format = 'pdf' } = body;
  if (!mayStream(body) || wantsFile(accept, format) || !wantsFile(accept, 'pdf')) return;
  throw notAcceptable(format);
}

function notAcceptable(format: DocumentFormat): ApiError {
  const wanted = mediaTypeOf(format);
  const message = `is ${format}, and the Accept header asks for application/pdf; ask for ${wanted} or application/json`;
  return new ApiError('invalid_request', `/format ${message}`, { details: [{ path: '/format', message }] });
}

type ReceivedRequest = Pick<FastifyRequest, 'caller' | 'headers' | 'bodyFingerprint'> & {
  readonly body: GenerateBody;
};

async function documentFor(
  services: Services,
  { caller, body, headers, bodyFingerprint: fingerprint }: ReceivedRequest,
  reply: FastifyReply,
): Promise<StoredDocument> {
  const key = idempotencyKeyOf(headers);
  const { account } = caller;
  const signal = disconnection(reply);
  const patience = body.async === true ? undefined : { account, waitMs: services.config.syncWaitMs, signal };
  const request = { caller, body, signal, patience };
  if (key === undefined) return generate(services, request);
  const { document, replayed } = await generateOnce(services, request, { key, fingerprint });
  if (replayed) reply.header('idempotency-replayed', 'true');
  return document;
}

/** 422 when the file was requested and generation failed; `document` is what the JSON response would contain. */
function generationFailed(document: StoredDocument): ApiError {
  const message = document.error?.message ?? 'The document could not be generated.';
  return new ApiError('generation_failed', message, {
    statusCode: 422,
    extra: { document: viewOf(document) },
  });
}
