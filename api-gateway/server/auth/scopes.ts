import type { Scope } from '@trifold/crds';

/**
 * Scope that each route requires, defined only here (interface, "Endpoints" and "Authentication" 5). A /v1 route that
 * is missing here cannot be registered.
 */
export const ROUTE_SCOPES: Readonly<Record<string, Scope>> = {
  'GET /v1/templates': 'templates:read',
  'GET /v1/templates/:id': 'templates:read',
  'POST /v1/templates': 'templates:write',
  'POST /v1/templates/preview': 'templates:write',
  'PATCH /v1/templates/:id': 'templates:write',
  'DELETE /v1/templates/:id': 'templates:write',
  'GET /v1/templates/:id/versions': 'templates:read',
  'GET /v1/templates/:id/versions/:version': 'templates:read',
  'POST /v1/templates/:id/versions/:version/restore': 'templates:write',
  'POST /v1/templates/:id/versions/:version/preview': 'templates:read',
  'POST /v1/templates/:id/publish': 'templates:write',
  'GET /v1/templates/:id/samples': 'templates:read',
  'GET /v1/templates/:id/thumbnail': 'templates:read',
  'PUT /v1/templates/:id/samples': 'templates:write',
  'POST /v1/generate': 'documents:generate',
  'GET /v1/generate': 'documents:generate',
  'GET /v1/generate/:id': 'documents:generate',
  'GET /v1/generate/:id/data': 'documents:generate',
  'GET /v1/generate/:id/download': 'documents:generate',
  'DELETE /v1/generate/:id': 'documents:generate',
  'POST /v1/generate/batch': 'documents:generate',
  'GET /v1/generate/batch': 'documents:generate',
  'GET /v1/generate/batch/:id': 'documents:generate',
  'GET /v1/generate/batch/:id/download': 'documents:generate',
  'GET /v1/generate/batch/:id/items/:index/download': 'documents:generate',
  'POST /v1/emails/compile': 'documents:generate',
  'GET /v1/webhooks': 'webhooks:read',
  'POST /v1/webhooks/settings': 'webhooks:write',
  'GET /v1/webhooks/settings': 'webhooks:read',
  'DELETE /v1/webhooks/settings': 'webhooks:write',
  'POST /v1/webhooks/settings/test': 'webhooks:write',
  'GET /v1/webhooks/deliveries': 'webhooks:read',
  'GET /v1/webhooks/deliveries/:id': 'webhooks:read',
  'POST /v1/webhooks/deliveries/retry': 'webhooks:write',
  'POST /v1/webhooks/deliveries/:id/retry': 'webhooks:write',
  'GET /v1/hooks': 'webhooks:read',
  'GET /v1/hooks/:id': 'webhooks:read',
  'POST /v1/hooks': 'webhooks:write',
  'DELETE /v1/hooks/:id': 'webhooks:write',
  'POST /v1/api-keys': 'api-keys:write',
  'GET /v1/api-keys': 'api-keys:read',
  'GET /v1/api-keys/:id': 'api-keys:read',
  'DELETE /v1/api-keys/:id': 'api-keys:write',
  'POST /v1/keys': 'api-keys:write',
  'GET /v1/keys': 'api-keys:read',
  'GET /v1/keys/:id': 'api-keys:read',
  'DELETE /v1/keys/:id': 'api-keys:write',
  'GET /v1/usage': 'usage:read',
  'GET /v1/billing': 'usage:read',
  'GET /v1/requests': 'usage:read',
};

/** Returns the scope of a route; HEAD requires the same scope as GET. Throws for a route that is not in the table. */
export function scopeOf(method: string, url: string): Scope {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  const scope = ROUTE_SCOPES[route];
  if (!scope) throw new Error(`no scope is declared for ${route}`);
  return scope;
}
