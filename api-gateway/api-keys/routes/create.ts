import { CreatedKey, createdView, NewKey } from '../key-body.ts';
import type { Application, Services } from '../../services.ts';
import { documented, KEY_PATHS } from './paths.ts';

const schema = {
  body: NewKey,
  response: { 201: CreatedKey },
  responseHeaders: { 201: ['Location'] },
  errors: ['scope_not_held', 'live_key_required'],
} as const;
const SHOWN_ONCE =
  'The answer is the only one that ever holds the key. A key gives no scope that it does not hold.';

/** POST /v1/api-keys: the only answer that ever contains the key. */
export function createApiKey(app: Application, { apiKeys }: Services): void {
  for (const place of KEY_PATHS) {
    const documentation = documented('create', place, 'Create an API key', SHOWN_ONCE);
    const links = { 201: [`read${place.noun}`, `revoke${place.noun}`] };
    app.post(place.path, { schema: { ...schema, ...documentation, links } }, async (request, reply) => {
      const { resource, key } = await apiKeys.create(request.caller, request.body);
      return reply
        .code(201)
        .header('location', `${place.path}/${resource.metadata.name}`)
        .header('cache-control', 'no-store')
        .send(createdView(resource, key));
    });
  }
}
