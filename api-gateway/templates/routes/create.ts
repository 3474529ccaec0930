import type { Application, Services } from '../../services.ts';
import { NewTemplate, TemplateView } from '../template-body.ts';
import { viewOf } from '../template-mapping.ts';

const schema = {
  operationId: 'createTemplate',
  summary: 'Create a template',
  description:
    'Bindings are Handlebars: `{{name}}`, `{{#each lines}}…{{/each}}`. The template has version 1 and is active unless `status` says otherwise.',
  tags: ['Templates'],
  body: NewTemplate,
  response: { 201: TemplateView },
  links: { 201: ['readTemplate', 'updateTemplate', 'deleteTemplate'] },
  responseHeaders: { 201: ['Location'] },
  errors: ['template_too_large', 'template_does_not_compile', 'invalid_schema', 'options_invalid'],
} as const;

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
