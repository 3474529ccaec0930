import { DocumentView, viewOf } from '../document-view.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'readDocument',
  summary: 'Read the status of a document',
  description: 'The `status_url`, for any key of the account.',
  tags: ['Documents'],
  params: IdParams,
  response: { 200: DocumentView },
  errors: ['document_not_found', 'expired'],
} as const;

/** GET /v1/generate/:id: the status_url, for any key of the account. */
export function readDocument(app: Application, { documents }: Services): void {
  app.get('/v1/generate/:id', { schema }, async (request) =>
    viewOf(await documents.get(request.caller.account, request.params.id)),
  );
}
