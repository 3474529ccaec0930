import { errorResponses } from '../../errors/error-body.ts';
import { IdParams } from '../id-params.ts';
import type { Application, Services } from '../../services.ts';
import { TemplateView } from '../../templates/template-body.ts';
import { viewOf } from '../../templates/template-mapping.ts';

const schema = { params: IdParams, response: { 200: TemplateView, ...errorResponses } };

/** GET /v1/templates/:id */
export function readTemplate(app: Application, { templates }: Services): void {
  app.get('/v1/templates/:id', { schema }, async (request) => {
    const { template, source } = await templates.read(request.caller.account, request.params.id);
    return viewOf(template, source);
  });
}
