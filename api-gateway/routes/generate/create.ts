import type { FastifyReply } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../authentication/caller.ts';
import { ApiError } from '../../errors/api-error.ts';
import { wantsPdf } from '../../generation/accept-header.ts';
import { viewOf } from '../../generation/document-view.ts';
import type { StoredDocument } from '../../generation/documents.ts';
import { sendFile } from '../../generation/file-response.ts';
import type { GenerateBody } from '../../generation/generate-body.ts';
import { generate, generateOnce } from '../../idempotency/generate-once.ts';
import { idempotencyKeyOf } from '../../idempotency/idempotency-key.ts';
import type { Application, Services } from '../../services.ts';
import { disconnection } from '../disconnection.ts';
import { schema } from './create-schema.ts';

/**
 * POST /v1/generate: synchronous, `async: true`, or the file itself for Accept: application/pdf. With an
 * Idempotency-Key the same request makes one document however often it is sent.
 */
export function createDocument(app: Application, services: Services): void {
  app.post('/v1/generate', { schema }, async (request, reply) => {
    const document = await documentFor(services, request, reply);
    if (request.body.async === true || document.status === 'processing') {
      return reply.code(202).send(viewOf(document));
    }
    if (!wantsPdf(request.headers.accept)) return reply.code(200).send(viewOf(document));
    if (document.status === 'failed') throw generationFailed(document);
    reply.header('content-location', viewOf(document).file_url);
    return sendFile(request, reply, document, services.store);
  });
}

async function documentFor(
  services: Services,
  { caller, body, headers }: { caller: Caller; body: GenerateBody; headers: IncomingHttpHeaders },
  reply: FastifyReply,
): Promise<StoredDocument> {
  const key = idempotencyKeyOf(headers);
  const { account } = caller;
  const patience =
    body.async === true
      ? undefined
      : { account, waitMs: services.config.syncWaitMs, signal: disconnection(reply) };
  if (key === undefined) return generate(services, { caller, body, patience });
  const { document, replayed } = await generateOnce(services, { caller, body, patience }, key);
  if (replayed) reply.header('idempotency-replayed', 'true');
  return document;
}

/** 422 where the file was asked for and there will be none; `document` is what the JSON form would have answered. */
function generationFailed(document: StoredDocument): ApiError {
  const message = document.error?.message ?? 'The document could not be generated.';
  return new ApiError('generation_failed', message, {
    statusCode: 422,
    extra: { document: viewOf(document) },
  });
}
