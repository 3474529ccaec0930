import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { isKey } from '@trifold/platform/records/api-keys/key-material.ts';
import type { Caller } from './caller.ts';
import type { KeyCache } from './key-cache.ts';
import { insufficientScope, invalidKey, missingKey, NOT_A_KEY, UNKNOWN_KEY } from './auth-errors.ts';
import { scopeOf } from './scopes.ts';
import { unavailable } from '../errors/api-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. Set only in routes behind the authentication plugin. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Scope that the route requires. */
    scope?: ReturnType<typeof scopeOf>;
  }
}

const BEARER = /^bearer +(\S+) *$/i;

/** Requires a key with the route's scope for every route registered beside it. Runs before the body is read. */
export const authentication = fastifyPlugin(
  async (app: FastifyInstance, { keys }: { keys: KeyCache }) => {
    app.decorateRequest('caller', null as unknown as Caller);
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        route.config = { ...route.config, scope: scopeOf(method, route.url) };
      }
    });
    app.addHook('onRequest', async (request) => {
      const caller = authenticate(request, keys);
      keys.used(caller);
      const { scope } = request.routeOptions.config;
      if (scope === undefined || !caller.scopes.includes(scope)) {
        throw insufficientScope(scopeOf(request.method, request.routeOptions.url ?? ''), caller);
      }
      request.caller = caller;
    });
  },
  { name: 'authentication' },
);

function authenticate(request: FastifyRequest, keys: KeyCache): Caller {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization === '') throw missingKey();
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined || !isKey(key)) throw invalidKey(NOT_A_KEY);
  if (!keys.loaded) throw unavailable('The service is starting and does not know the API keys yet.');
  const caller = keys.find(key);
  if (!caller) throw invalidKey(UNKNOWN_KEY);
  return caller;
}
