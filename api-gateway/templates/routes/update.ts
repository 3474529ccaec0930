import type { Application, Services } from '../../services.ts';
import { TemplateChange, TemplateView } from '../template-body.ts';
import { viewOf } from '../template-mapping.ts';
import { IdParams } from '../../server/http/id-params.ts';

const schema = {
  operationId: 'updateTemplate',
  summary: 'Change a template',
  description:
    'Changes only the members that are sent, each as a whole. The version increases by one. Accepted documents are not affected.',
  tags: ['Templates'],
  params: IdParams,
  body: TemplateChange,
  response: { 200: TemplateView },
  errors: [
    'template_not_found',
    'conflict',
    'template_too_large',
    'template_does_not_compile',
    'template_unusable',
    'invalid_schema',
    'options_invalid',
  ],
} as const;

/** PATCH /v1/templates/:id */
export function updateTemplate(app: Application, { templates }: Services): void {
  app.patch('/v1/templates/:id', { schema }, async (request) => {
    const { account } = request.caller;
    const { template, source } = await templates.update(account, request.params.id, request.body);
    return viewOf(template, source);
  });
}
