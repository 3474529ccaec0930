import { SCOPES, type KeyMode, type Scope } from '@trifold/crds';
import type { Caller } from '../server/auth/caller.ts';
import { ApiError } from '../server/errors/api-error.ts';
import type { NewKey } from './key-body.ts';

/** Scopes and mode of a new key. */
export interface KeyGrant {
  readonly scopes: readonly Scope[];
  readonly mode: KeyMode;
}

/**
 * Returns what a caller may grant a new key: no more than its own key has. Throws ApiError `scope_not_held` or
 * `live_key_required`.
 */
export function grantTo(body: NewKey, caller: Caller): KeyGrant {
  const mode = body.type ?? caller.mode;
  if (mode === 'live' && caller.mode === 'test') throw liveKeyRequired();
  const scopes = body.scopes ?? SCOPES;
  const notHeld = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (notHeld.length > 0) throw scopeNotHeld(notHeld, body);
  return { scopes, mode };
}

function scopeNotHeld(notHeld: readonly Scope[], { scopes }: NewKey): ApiError {
  const list = notHeld.join(', ');
  if (scopes === undefined) {
    const message = `Without scopes the new key would hold all of them, and the key of this request does not hold ${list}. Name the scopes that the new key is to have.`;
    const details = [{ path: '/scopes', message: `would include ${list} when left out` }];
    return new ApiError('scope_not_held', message, { details });
  }
  const message = `A key can give only the scopes that it holds itself; the key of this request does not hold ${list}.`;
  const details = notHeld.map((scope) => ({
    path: `/scopes/${scopes.indexOf(scope)}`,
    message: `${scope} is not held by the key of this request`,
  }));
  return new ApiError('scope_not_held', message, { details });
}

function liveKeyRequired(): ApiError {
  const message = 'A test key makes test keys only. Send the request with a live key, or leave type out.';
  return new ApiError('live_key_required', message, {
    details: [{ path: '/type', message: 'must be test, for the key of this request is a test key' }],
  });
}
