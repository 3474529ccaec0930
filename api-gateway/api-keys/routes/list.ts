import { Type } from 'typebox';
import { KeyPage } from '../key-body.ts';
import { pageFrom, pageQuery } from '../../server/pagination/page.ts';
import type { Application, Services } from '../../services.ts';
import { documented, KEY_PATHS } from './paths.ts';

const schema = {
  querystring: Type.Object(pageQuery, { additionalProperties: false }),
  response: { 200: KeyPage },
  errors: ['invalid_cursor'],
} as const;

/** GET /v1/api-keys */
export function listApiKeys(app: Application, { apiKeys, cursors }: Services): void {
  for (const place of KEY_PATHS) {
    const documentation = documented(
      'list',
      { ...place, noun: `${place.noun}s` },
      'List API keys',
      'Newest first.',
    );
    app.get(place.path, { schema: { ...schema, ...documentation } }, async (request) => {
      const { account } = request.caller;
      const list = `api-keys/${account}`;
      return pageFrom(cursors, { list, ...request.query }, () => apiKeys.list(account));
    });
  }
}
