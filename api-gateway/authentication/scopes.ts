import type { Scope } from '@trifold/crds';

/**
 * The scope that each route needs: the only place that says so (interface, "Endpoints" and "Authentication" 5).
 * A route of /v1 that is missing here cannot be registered.
 */
export const ROUTE_SCOPES: Readonly<Record<string, Scope>> = {
  'GET /v1/templates': 'templates:read',
  'GET /v1/templates/:id': 'templates:read',
  'POST /v1/templates': 'templates:write',
  'PATCH /v1/templates/:id': 'templates:write',
  'DELETE /v1/templates/:id': 'templates:write',
  'POST /v1/generate': 'documents:generate',
  'GET /v1/generate/:id': 'documents:generate',
  'GET /v1/generate/:id/download': 'documents:generate',
};

/** The scope of a route; HEAD needs what GET needs. Throws for a route that the table does not know. */
export function scopeOf(method: string, url: string): Scope {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  const scope = ROUTE_SCOPES[route];
  if (!scope) throw new Error(`no scope is written down for ${route}`);
  return scope;
}
