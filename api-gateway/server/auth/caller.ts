import type { ApiKey, KeyMode, Scope } from '@trifold/crds';

/** Who sent a request: what the key it carries says. */
export interface Caller {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly scopes: readonly Scope[];
}

/** The caller that holds a key. */
export function callerOf(key: ApiKey): Caller {
  return {
    account: key.metadata.namespace ?? '',
    keyId: key.metadata.name,
    mode: key.spec.mode,
    scopes: key.spec.scopes,
  };
}
