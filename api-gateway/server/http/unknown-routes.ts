import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';

/** Responds to unknown routes before the body is read: 404, or 405 with Allow if the path supports other methods. */
export const unknownRoutes = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', async (request) => {
      const hasParameter = request.routeOptions.url?.includes(':');
      if (!request.is404 && !hasParameter) return;
      const path = pathOf(request);
      const allowed = methodsOf(app, path);
      if (!allowed.includes(request.method)) throw unknownRoute(request, path, allowed);
    });
    // A route that serves files found none at this path.
    app.setNotFoundHandler((request) => {
      throw routeNotFound(request);
    });
  },
  { name: 'unknown-routes' },
);

/**
 * Returns the methods of the path. If two routes match, the one with fewer parameters owns the path: `batch` in
 * `/v1/generate/batch` is not an ID.
 */
function methodsOf(app: FastifyInstance, path: string): string[] {
  const found = app.supportedMethods.flatMap((method) => {
    const route = app.findRoute({ method, url: path });
    return route ? [{ method, parameters: Object.keys(route.params ?? {}).length }] : [];
  });
  const fewest = Math.min(...found.map(({ parameters }) => parameters));
  return found
    .filter(({ parameters }) => parameters === fewest)
    .map(({ method }) => method)
    .sort();
}

/** Returns the error for a path below a route if nothing exists there. */
export function routeNotFound(request: FastifyRequest): ApiError {
  return unknownRoute(request, pathOf(request), []);
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

function unknownRoute({ method }: FastifyRequest, path: string, allowed: readonly string[]): ApiError {
  if (allowed.length === 0)
    return new ApiError(
      'route_not_found',
      `There is no route ${method} ${path}. The routes are listed at /docs/api/.`,
    );
  const allow = allowed.join(', ');
  const message = `${path} does not support ${method}. It supports ${allow}.`;
  return new ApiError('method_not_allowed', message, { headers: { allow } });
}
