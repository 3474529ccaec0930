import { errorResponses } from '../../errors/error-body.ts';
import { DocumentView, viewOf } from '../../generation/document-view.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';

const schema = { params: IdParams, response: { 200: DocumentView, ...errorResponses } };

/** GET /v1/generate/:id: the status_url. Any key of the account may ask. */
export function readDocument(app: Application, { documents }: Services): void {
  app.get('/v1/generate/:id', { schema }, async (request) =>
    viewOf(await documents.get(request.caller.account, request.params.id)),
  );
}
