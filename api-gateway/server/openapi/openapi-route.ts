import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

const schema = {
  operationId: 'readOpenApi',
  summary: 'Read this document',
  description: 'The OpenAPI 3.1 document of the service. Readable pages are at `/docs`.',
  tags: ['Service'],
  response: { 200: Type.Unsafe<object>({ type: 'object', description: 'An OpenAPI 3.1 document.' }) },
};

/** GET /v1/openapi.json, without a key. */
export async function openApiRoute(app: FastifyInstance): Promise<void> {
  let document: string | undefined;
  app.get('/v1/openapi.json', { schema }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply
      .type('application/json; charset=utf-8')
      .serializer((text: string) => text)
      .send(document);
  });
}
