import type { Application, Services } from '../../services.ts';
import { Deleted } from '../../server/http/deleted.ts';
import { IdParams } from '../../server/http/id-params.ts';
import { documented, KEY_PATHS } from './paths.ts';

const schema = {
  params: IdParams,
  response: { 200: Deleted },
  errors: ['api_key_not_found', 'live_key_required'],
} as const;
const AT_ONCE =
  'It stops working within a second. A key may revoke itself, and a test key test keys only; what it made stays.';

/** DELETE /v1/api-keys/:id. A key may revoke itself; a test key may revoke only test keys. */
export function revokeApiKey(app: Application, { apiKeys }: Services): void {
  for (const place of KEY_PATHS) {
    const documentation = documented('revoke', place, 'Revoke an API key', AT_ONCE);
    app.delete(`${place.path}/:id`, { schema: { ...schema, ...documentation } }, async (request) => {
      const { id } = request.params;
      await apiKeys.revoke(request.caller, id);
      return { id, deleted: true as const };
    });
  }
}
