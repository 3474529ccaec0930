import { Type } from 'typebox';
import { pageFrom, pageQuery } from '@trifold/api-gateway/server/pagination/page.ts';
import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { HookPage } from '../../endpoint-body.ts';

const schema = {
  operationId: 'listHooks',
  summary: 'List hooks',
  description: 'Newest first.',
  tags: ['Webhooks'],
  querystring: Type.Object(pageQuery, { additionalProperties: false }),
  response: { 200: HookPage },
  errors: ['invalid_cursor'],
} as const;

/** GET /v1/hooks */
export function listHooks(app: Application, { hooks, cursors }: Services): void {
  app.get('/v1/hooks', { schema }, async (request) => {
    const { account } = request.caller;
    return pageFrom(cursors, { list: `hooks/${account}`, ...request.query }, () => hooks.list(account));
  });
}
