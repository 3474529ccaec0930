import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';

/** What is not a route: 404, or 405 with Allow where the path has other methods. Before any body is read. */
export const unknownRoutes = fastifyPlugin(
  async (app: FastifyInstance) => {
    const routes = new RouteTable();
    app.addHook('onRoute', ({ url, method }) => routes.add(url, [method].flat()));
    app.addHook('onRequest', async (request) => {
      if (request.is404) throw refusalOf(request, routes);
    });
    app.setNotFoundHandler((request) => {
      throw refusalOf(request, routes);
    });
  },
  { name: 'unknown-routes' },
);

function refusalOf(request: FastifyRequest, routes: RouteTable): ApiError {
  const [path = ''] = request.url.split('?', 1);
  const allowed = routes.methodsOf(path);
  if (allowed.length === 0) {
    return new ApiError('route_not_found', `There is nothing at ${request.method} ${path}.`);
  }
  const message = `${request.method} is not possible at ${path}; ${allowed.join(', ')} is.`;
  return new ApiError('method_not_allowed', message, { headers: { allow: allowed.join(', ') } });
}

/** Which methods a path has. */
class RouteTable {
  readonly #methods = new Map<string, Set<string>>();

  add(pattern: string, methods: readonly string[]): void {
    const known = this.#methods.get(pattern) ?? new Set();
    for (const method of methods) known.add(method);
    this.#methods.set(pattern, known);
  }

  methodsOf(path: string): string[] {
    const segments = path.split('/');
    for (const [pattern, methods] of this.#methods) {
      if (matches(pattern.split('/'), segments)) return [...methods].sort();
    }
    return [];
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
