import { Type } from 'typebox';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';
import { KEY_PATHS } from './paths.ts';

const schema = {
  params: IdParams,
  response: { 200: Type.Object({ id: Type.String(), deleted: Type.Boolean() }), ...errorResponses },
};

/** DELETE /v1/api-keys/:id; a key may revoke itself. */
export function revokeApiKey(app: Application, { apiKeys }: Services): void {
  for (const path of KEY_PATHS) {
    app.delete(`${path}/:id`, { schema }, async (request) => {
      const { id } = request.params;
      await apiKeys.revoke(request.caller.account, id);
      return { id, deleted: true };
    });
  }
}
