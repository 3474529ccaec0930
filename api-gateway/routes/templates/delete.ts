import { Type } from 'typebox';
import { errorResponses } from '../../errors/error-body.ts';
import type { Application, Services } from '../../services.ts';
import { IdParams } from '../id-params.ts';

const schema = {
  params: IdParams,
  response: { 200: Type.Object({ id: Type.String(), deleted: Type.Boolean() }), ...errorResponses },
};

/** DELETE /v1/templates/:id */
export function deleteTemplate(app: Application, { templates }: Services): void {
  app.delete('/v1/templates/:id', { schema }, async (request) => {
    const { id } = request.params;
    await templates.delete(request.caller.account, id);
    return { id, deleted: true };
  });
}
