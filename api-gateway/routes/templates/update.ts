import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { TemplateChange, TemplateView } from '../../templates/template-body.ts';
import { viewOf } from '../../templates/template-mapping.ts';
import { IdParams } from '../id-params.ts';

const schema = { params: IdParams, body: TemplateChange, response: { 200: TemplateView, ...errorResponses } };

/** PATCH /v1/templates/:id */
export function updateTemplate(app: Application, { templates }: Services): void {
  app.patch('/v1/templates/:id', { schema }, async (request) => {
    const { account } = request.caller;
    const { template, source } = await templates.update(account, request.params.id, request.body);
    return viewOf(template, source);
  });
}
