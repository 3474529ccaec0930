import { CreatedKey, createdView, NewKey } from '../../api-keys/key-body.ts';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { KEY_PATHS } from './paths.ts';

const schema = { body: NewKey, response: { 201: CreatedKey, ...errorResponses } };

/** POST /v1/api-keys: the only answer that ever holds the key. */
export function createApiKey(app: Application, { apiKeys }: Services): void {
  for (const path of KEY_PATHS) {
    app.post(path, { schema }, async (request, reply) => {
      const { resource, key } = await apiKeys.create(request.caller, request.body);
      return reply
        .code(201)
        .header('location', `${path}/${resource.metadata.name}`)
        .header('cache-control', 'no-store')
        .send(createdView(resource, key));
    });
  }
}
