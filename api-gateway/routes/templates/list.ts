import { StringEnum, TEMPLATE_STATES } from '@trifold/crds';
import { Type } from 'typebox';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { TemplatePage } from '../../templates/template-body.ts';
import { listTemplates } from '../../templates/template-list.ts';

const schema = {
  querystring: Type.Object(
    {
      // Interface, "Limits": 1 to 100, default 20.
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
      cursor: Type.Optional(Type.String({ maxLength: 1000 })),
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
