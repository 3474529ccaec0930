import { StringEnum, TEMPLATE_STATES } from '@trifold/crds';
import { Type } from 'typebox';
import { pageQuery } from '../../server/pagination/page.ts';
import type { Application, Services } from '../../services.ts';
import { TemplatePage } from '../template-body.ts';
import { listTemplates } from '../template-list.ts';

const schema = {
  operationId: 'listTemplates',
  summary: 'List templates',
  description: 'Newest first.',
  tags: ['Templates'],
  querystring: Type.Object(
    {
      ...pageQuery,
      status: Type.Optional(StringEnum(TEMPLATE_STATES, { description: 'Only entries with this status.' })),
    },
    { additionalProperties: false },
  ),
  response: { 200: TemplatePage },
  errors: ['invalid_cursor'],
} as const;

/** GET /v1/templates */
export function listTemplatesRoute(app: Application, services: Services): void {
  app.get('/v1/templates', { schema }, async (request) =>
    listTemplates(services, request.caller.account, request.query),
  );
}
