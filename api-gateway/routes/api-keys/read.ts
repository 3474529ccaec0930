import { KeyView, viewOf } from '../../api-keys/key-body.ts';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';
import { KEY_PATHS } from './paths.ts';

const schema = { params: IdParams, response: { 200: KeyView, ...errorResponses } };

/** GET /v1/api-keys/:id */
export function readApiKey(app: Application, { apiKeys }: Services): void {
  for (const path of KEY_PATHS) {
    app.get(`${path}/:id`, { schema }, async (request) =>
      viewOf(await apiKeys.get(request.caller.account, request.params.id)),
    );
  }
}
