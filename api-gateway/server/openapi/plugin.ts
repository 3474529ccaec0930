import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { toJsonSchema } from '@trifold/crds';
import { completeDocument } from './document.ts';
import type { JsonObject } from './json.ts';
import { documentedRoute, swaggerSchema, type DocumentedRoute } from './operations.ts';
import { OUTLINE } from './outline.ts';
import './route-documentation.ts';
import { NestedField } from '../../templates/template-body.ts';

/**
 * Gathers the routes registered after it into an OpenAPI document: `app.swagger()`, once the application is ready.
 * Answers are only described by the schemas, never shaped by them: what a handler answers is sent as it is, and tests
 * hold it to the description.
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
