import { KeyView, viewOf } from '../key-body.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../../server/http/id-params.ts';
import { documented, KEY_PATHS } from './paths.ts';

const schema = { params: IdParams, response: { 200: KeyView }, errors: ['api_key_not_found'] } as const;

/** GET /v1/api-keys/:id */
export function readApiKey(app: Application, { apiKeys }: Services): void {
  for (const place of KEY_PATHS) {
    const documentation = documented('read', place, 'Read what is known of an API key');
    app.get(`${place.path}/:id`, { schema: { ...schema, ...documentation } }, async (request) =>
      viewOf(await apiKeys.get(request.caller.account, request.params.id)),
    );
  }
}
