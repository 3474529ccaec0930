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
 * Collects the routes registered after it in an OpenAPI document: `app.swagger()`, once the application is ready.
 * Schemas only describe answers and never change them: the answer of a handler is sent as it is, and tests compare it
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
