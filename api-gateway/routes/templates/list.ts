import { StringEnum, TEMPLATE_STATES } from '@trifold/crds';
import { Type } from 'typebox';
import { errorResponses } from '../../errors/error-body.ts';
import { pageQuery } from '../../lists/page.ts';
import type { Application, Services } from '../../services.ts';
import { TemplatePage } from '../../templates/template-body.ts';
import { listTemplates } from '../../templates/template-list.ts';

const schema = {
  querystring: Type.Object(
    {
      ...pageQuery,
      status: Type.Optional(StringEnum(TEMPLATE_STATES)),
    },
    { additionalProperties: false },
  ),
  response: { 200: TemplatePage, ...errorResponses },
};

/** GET /v1/templates */
export function listTemplatesRoute(app: Application, services: Services): void {
  app.get('/v1/templates', { schema }, async (request) =>
    listTemplates(services, request.caller.account, request.query),
  );
}
