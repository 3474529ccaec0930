import { ApiError } from '../errors/api-error.ts';
import type { Application } from '../services.ts';
import { IdParams } from './id-params.ts';

/**
 * What the interface has and this version has not. A route that gets built leaves this table; its scope is in the
 * table of scopes already.
 */
const NOT_BUILT_YET: Readonly<Record<string, readonly string[]>> = {
  'The account webhook': [
    'POST /v1/webhooks/settings',
    'GET /v1/webhooks/settings',
    'DELETE /v1/webhooks/settings',
    'POST /v1/webhooks/settings/test',
  ],
  'The log of deliveries': [
    'GET /v1/webhooks/deliveries',
    'GET /v1/webhooks/deliveries/:id',
    'POST /v1/webhooks/deliveries/:id/retry',
  ],
  'Registering hook destinations': ['POST /v1/hooks', 'DELETE /v1/hooks/:id'],
};

/** Routes that are refused with 422 `not_supported_yet` once the key and its scope are right; no body is read. */
export function notBuiltYet(app: Application): void {
  for (const [feature, routes] of Object.entries(NOT_BUILT_YET)) {
    for (const route of routes) {
      const [method = '', url = ''] = route.split(' ');
      const refuse = async (): Promise<never> => {
        throw new ApiError('not_supported_yet', `${feature} is not supported yet: ${route}.`);
      };
      app.route({
        method,
        url,
        schema: {
          summary: `${feature}: not supported yet`,
          tags: ['Webhooks'],
          ...(url.includes(':') && { params: IdParams }),
          errors: ['not_supported_yet'],
        },
        onRequest: refuse,
        handler: refuse,
      });
    }
  }
}
