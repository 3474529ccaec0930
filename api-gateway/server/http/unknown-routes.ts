import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';

/** Answers unknown routes before the body is read: 404, or 405 with Allow if the path has other methods. */
export const unknownRoutes = fastifyPlugin(
  async (app: FastifyInstance) => {
    const routes = new RouteTable();
    app.addHook('onRoute', ({ url, method }) => routes.add(url, [method].flat()));
    app.addHook('onRequest', async (request) => {
      if (request.is404 || isMistaken(request, routes)) throw refusalOf(request, routes);
    });
    app.setNotFoundHandler((request) => {
      throw refusalOf(request, routes);
    });
  },
  { name: 'unknown-routes' },
);

/** Whether the router took a path with its own route for a parameter value: `batch` for an id. */
function isMistaken(request: FastifyRequest, routes: RouteTable): boolean {
  const { url = '' } = request.routeOptions;
  return url.includes(':') && routes.has(pathOf(request));
}

function refusalOf(request: FastifyRequest, routes: RouteTable): ApiError {
  const path = pathOf(request);
  const allowed = routes.methodsOf(path);
  if (allowed.length === 0) {
    return new ApiError('route_not_found', `There is nothing at ${request.method} ${path}.`);
  }
  const message = `${request.method} is not possible at ${path}: the path has ${allowed.join(', ')}.`;
  return new ApiError('method_not_allowed', message, { headers: { allow: allowed.join(', ') } });
}

/** Methods of each path. */
class RouteTable {
  readonly #methods = new Map<string, Set<string>>();

  add(pattern: string, methods: readonly string[]): void {
    const known = this.#methods.get(pattern) ?? new Set();
    for (const method of methods) known.add(method);
    this.#methods.set(pattern, known);
  }

  /** Whether a route has exactly this path, without parameters. */
  has(path: string): boolean {
    return !path.includes(':') && this.#methods.has(path);
  }

  /** Returns the methods of the matching pattern with the longest prefix before a parameter, as the router chooses. */
  methodsOf(path: string): string[] {
    const segments = path.split('/');
    const [best] = [...this.#methods]
      .filter(([pattern]) => matches(pattern.split('/'), segments))
      .sort(([left], [right]) => firstParameter(right) - firstParameter(left));
    return best ? [...best[1]].sort() : [];
  }
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function firstParameter(pattern: string): number {
  const index = pattern.indexOf(':');
  return index === -1 ? pattern.length : index;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  );
}
