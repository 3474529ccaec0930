import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isKey, type ApiKey, type Scope } from '@trifold/crds';
import type { Sessions } from '../../sessions/sessions.ts';
import { callerOf, type Caller } from './caller.ts';
import type { KeyCache } from './key-cache.ts';
import { scopeOf } from './scopes.ts';
import { ApiError, unauthenticated } from '../errors/api-error.ts';

import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of the request. Set only on routes behind the authentication plugin, even if the key lacks the scope. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Scope that the route requires. */
    scope?: ReturnType<typeof scopeOf>;
  }
}

const FORM = 'Authorization: Bearer tf_live_… (or tf_test_…, 51 characters)';
const BEARER = /^bearer +(\S+) *$/i;

/**
 * Requires a key or a key's session with the route's scope, on every route registered in the same context. Runs before
 * the body is read.
 */
export const authentication = fastifyPlugin(
  async (app: FastifyInstance, { keys, sessions }: { keys: KeyCache; sessions: Sessions | undefined }) => {
    app.decorateRequest('caller', null as unknown as Caller);
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) {
        route.config = { ...route.config, scope: scopeOf(method, route.url) };
      }
    });
    app.addHook('onRequest', async (request, reply) => {
      // If a request has a key, its cookie is ignored.
      const hasSession = !hasKey(request) && sessions?.isIn(request) === true;
      const caller = hasSession ? (await sessions.open(request, reply)).caller : callerWithKey(request, keys);
      request.caller = caller;
      keys.used(caller);
      const { scope } = request.routeOptions.config;
      if (scope === undefined || !caller.scopes.includes(scope)) {
        throw insufficientScope(scopeOf(request.method, request.routeOptions.url ?? ''), caller);
      }
    });
  },
  { name: 'authentication' },
);

/** Whether the request presents a key. The dashboard sends its session instead. */
export function hasKey({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined;
}

function callerWithKey(request: FastifyRequest, keys: KeyCache): Caller {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization === '') {
    throw unauthenticated('missing_key', `The request has no API key. Send ${FORM}.`);
  }
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined || !isKey(key)) {
    throw invalidKey(`The Authorization header has no valid API key. Send ${FORM}.`);
  }
  return callerOf(verifiedKey(key, keys));
}

/** Returns the resource of a key. Throws ApiError: 401 when the key is unknown, 503 before the keys are loaded. */
export function verifiedKey(key: string, keys: KeyCache): ApiKey {
  keys.requireLoaded();
  const found = keys.find(key);
  if (found) return found;
  throw invalidKey(
    'The API key is unknown or has been revoked. Check that it is complete, or create a new key: a lost key cannot be recovered.',
  );
}

function invalidKey(message: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer realm="trifold", error="invalid_token"' };
  return new ApiError('invalid_key', message, { headers });
}

/** Throws ApiError `insufficient_scope` if the caller lacks a scope that the request body requires. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw insufficientScope(scope, caller);
}

/** 401: the key lacks a scope (interface, "Authentication" 6 and "Errors" 1). */
function insufficientScope(required: Scope, caller: Caller): ApiError {
  return new ApiError('insufficient_scope', `This request requires the ${required} scope.`, {
    headers: {
      'www-authenticate': `Bearer realm="trifold", error="insufficient_scope", scope="${required}"`,
    },
    extra: {
      missingScopes: [required],
      yourScopes: [...caller.scopes],
      hint: `Use a key that has the ${required} scope, or create one.`,
    },
  });
}
