import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { NewTemplate, TemplateView } from '../../templates/template-body.ts';
import { viewOf } from '../../templates/template-mapping.ts';

const schema = { body: NewTemplate, response: { 201: TemplateView, ...errorResponses } };

/** POST /v1/templates */
export function createTemplate(app: Application, { templates }: Services): void {
  app.post('/v1/templates', { schema }, async (request, reply) => {
    const { template, source } = await templates.create(request.caller.account, request.body);
    return reply
      .code(201)
      .header('location', `/v1/templates/${template.metadata.name}`)
      .send(viewOf(template, source));
  });
}
