import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { toJsonSchema } from '@trifold/crds';
import { Type } from 'typebox';
import { completeDocument } from './document.ts';
import type { JsonObject } from './components.ts';
import { documentedRoute, swaggerSchema, type DocumentedRoute } from './operations.ts';
import { OUTLINE } from './outline.ts';
import { NestedField } from '../http/nested-field.ts';

/**
 * Collects the routes registered after it in an OpenAPI document: `app.swagger()`, once the application is ready.
 * Schemas only describe responses and never change them: a handler's response is sent unchanged, and tests compare it
 * with its schema.
 */
export const openApi = fastifyPlugin(
  async (app: FastifyInstance) => {
    const routes = new Map<string, DocumentedRoute>();
    app.addSchema(toJsonSchema(NestedField));
    app.setSerializerCompiler(() => JSON.stringify);
    await app.register(swagger, {
      openapi: OUTLINE as never,
      convertConstToEnum: false,
      stripBasePath: false,
      refResolver: { buildLocalReference: ({ title }) => (typeof title === 'string' ? title : 'Unnamed') },
      transform({ route, url }) {
        const documented = documentedRoute(route);
        routes.set(documented.operationId, documented);
        return { schema: swaggerSchema(route), url };
      },
      transformObject: (made) =>
        completeDocument(('openapiObject' in made ? made.openapiObject : {}) as JsonObject, routes) as never,
    });
  },
  { name: 'openapi' },
);

const schema = {
  operationId: 'readOpenApi',
  summary: 'Read the OpenAPI document',
  description:
    'A machine-readable description of all operations. The API reference at `/docs/api/` is the readable version.',
  tags: ['Service'],
  response: { 200: Type.Unsafe<object>({ type: 'object', description: 'An OpenAPI 3.1 document.' }) },
  responseExamples: {
    200: { openapi: OUTLINE.openapi, info: { title: OUTLINE.info.title, version: OUTLINE.info.version } },
  },
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
