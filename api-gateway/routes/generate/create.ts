import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { errorResponses } from '../../errors/error-body.ts';
import { wantsPdf } from '../../generation/accept-header.ts';
import { DocumentView, viewOf } from '../../generation/document-view.ts';
import { documentOf, type StoredDocument } from '../../generation/documents.ts';
import { sendFile } from '../../generation/file-response.ts';
import { GenerateBody } from '../../generation/generate-body.ts';
import { generateAndWait } from '../../generation/outcome.ts';
import type { Application, Services } from '../../services.ts';

const schema = { body: GenerateBody, response: { 200: DocumentView, 202: DocumentView, ...errorResponses } };

/** POST /v1/generate: synchronous, `async: true`, or the file itself for Accept: application/pdf. */
export function createDocument(app: Application, services: Services): void {
  const { acceptor, config, store } = services;
  app.post('/v1/generate', { schema }, async (request, reply) => {
    const { account } = request.caller;
    const job = await acceptor.accept(request.caller, request.body);
    if (request.body.async === true) {
      return reply.code(202).send(viewOf(documentOf(await job.create())));
    }
    const patience = { account, waitMs: config.syncWaitMs, signal: disconnection(reply) };
    const document = await generateAndWait(services, job, patience);
    if (document.status === 'processing') return reply.code(202).send(viewOf(document));
    if (!wantsPdf(request.headers.accept)) return reply.code(200).send(viewOf(document));
    if (document.status === 'failed') throw generationFailed(document);
    reply.header('content-location', viewOf(document).file_url);
    return sendFile(request, reply, document, store);
  });
}

/** Aborted when the client goes away before it is answered. */
function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  // It may have gone while the request was checked.
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** 422 where the file was asked for and there will be none; `document` is what the JSON form would have answered. */
function generationFailed(document: StoredDocument): ApiError {
  const message = document.error?.message ?? 'The document could not be generated.';
  return new ApiError('generation_failed', message, {
    statusCode: 422,
    extra: { document: viewOf(document) },
  });
}
