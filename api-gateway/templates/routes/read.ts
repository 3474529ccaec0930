import { IdParams } from '../../server/http/id-params.ts';
import type { Application, Services } from '../../services.ts';
import { TemplateView } from '../template-body.ts';
import { viewOf } from '../template-mapping.ts';

const schema = {
  operationId: 'readTemplate',
  summary: 'Read a template',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: TemplateView },
  errors: ['template_not_found', 'template_unusable'],
} as const;

/** GET /v1/templates/:id */
export function readTemplate(app: Application, { templates }: Services): void {
  app.get('/v1/templates/:id', { schema }, async (request) => {
    const { template, source } = await templates.read(request.caller.account, request.params.id);
    return viewOf(template, source);
  });
}
