import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ApiKey } from '@trifold/crds';
import { isKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { SESSION_COOKIE, type Sessions } from '../../sessions/sessions.ts';
import { callerOf, type Caller } from './caller.ts';
import type { KeyCache } from './key-cache.ts';
import { insufficientScope, invalidKey, missingKey, NOT_A_KEY, UNKNOWN_KEY } from './auth-errors.ts';
import { scopeOf } from './scopes.ts';
import { unavailable } from '../errors/api-error.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. Set only in routes behind the authentication plugin; undefined in others. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Scope that the route requires. */
    scope?: ReturnType<typeof scopeOf>;
  }
}

const BEARER = /^bearer +(\S+) *$/i;

export interface AuthenticationOptions {
  readonly keys: KeyCache;
  /** Undefined: nobody can sign in. */
  readonly sessions: Sessions | undefined;
}

/**
 * Requires a key, or a session of a key, with the route's scope for every route registered beside it. Runs before the
 * body is read.
 */
export const authentication = fastifyPlugin(
  async (app: FastifyInstance, { keys, sessions }: AuthenticationOptions) => {
    app.decorateRequest('caller', null as unknown as Caller);
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        route.config = { ...route.config, scope: scopeOf(method, route.url) };
      }
    });
    app.addHook('onRequest', async (request, reply) => {
      const caller =
        sessions && hasSession(request)
          ? await sessions.callerOf(request, reply)
          : callerWithKey(request, keys);
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

/** A request with a key ignores a cookie. */
function hasSession(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined && SESSION_COOKIE.read(request) !== undefined;
}

function callerWithKey(request: FastifyRequest, keys: KeyCache): Caller {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization === '') throw missingKey();
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined || !isKey(key)) throw invalidKey(NOT_A_KEY);
  return callerOf(verifiedKey(key, keys));
}

/** Returns the resource of a key. Throws ApiError: 401 when the key is unknown, 503 before the keys were read. */
export function verifiedKey(key: string, keys: KeyCache): ApiKey {
  if (!keys.loaded) throw unavailable('The service is starting and does not know the API keys yet.');
  const found = keys.find(key);
  if (!found) throw invalidKey(UNKNOWN_KEY);
  return found;
}
