import { Type } from 'typebox';
import { KeyPage } from '../../api-keys/key-body.ts';
import { errorResponses } from '../../errors/error-body.ts';
import { pageFrom, pageQuery } from '../../lists/page.ts';
import type { Application, Services } from '../../services.ts';
import { KEY_PATHS } from './paths.ts';

const schema = {
  querystring: Type.Object(pageQuery, { additionalProperties: false }),
  response: { 200: KeyPage, ...errorResponses },
};

/** GET /v1/api-keys */
export function listApiKeys(app: Application, { apiKeys, cursors }: Services): void {
  for (const path of KEY_PATHS) {
    app.get(path, { schema }, async (request) => {
      const { account } = request.caller;
      const list = `api-keys/${account}`;
      return pageFrom(cursors, { list, ...request.query }, () => apiKeys.list(account));
    });
  }
}
