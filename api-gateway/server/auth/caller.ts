import type { ApiKey, KeyMode, Scope } from '@trifold/crds';

/** Sender of a request, identified by its API key. */
export interface Caller {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly scopes: readonly Scope[];
}

/** Returns the caller that holds a key. */
export function callerOf(key: ApiKey): Caller {
  return {
    account: key.metadata.namespace ?? '',
    keyId: key.metadata.name,
    mode: key.spec.mode,
    scopes: key.spec.scopes,
  };
}
