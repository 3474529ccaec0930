import type { Application, Services } from '../../services.ts';
import { Deleted } from '../../server/http/deleted.ts';
import { IdParams } from '../../server/http/id-params.ts';

const schema = {
  operationId: 'deleteTemplate',
  summary: 'Delete a template',
  description: 'Deletes the template permanently. Generated and accepted documents remain.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: Deleted },
  errors: ['template_not_found'],
} as const;

/** DELETE /v1/templates/:id */
export function deleteTemplate(app: Application, { templates }: Services): void {
  app.delete('/v1/templates/:id', { schema }, async (request) => {
    const { id } = request.params;
    await templates.delete(request.caller.account, id);
    return { id, deleted: true as const };
  });
}
