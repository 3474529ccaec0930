import type { ApiKey, KeyMode, Scope } from '@trifold/crds';
import type { DownloadAccess } from '../../config.ts';

/** Sender of one request, identified by its API key. */
export interface Caller {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly scopes: readonly Scope[];
  /**
   * Documents of the account that the caller may download, if the session allows more than TRIFOLD_DOWNLOAD_ACCESS
   * does.
   */
  readonly downloads?: DownloadAccess;
  /** For the request log: ID of the saved template that the request uses, once it has been found. */
  foundTemplate?: string;
}

/** Returns the caller that a key identifies. */
export function callerOf(key: ApiKey): Caller {
  return {
    account: key.metadata.namespace ?? '',
    keyId: key.metadata.name,
    mode: key.spec.mode,
    scopes: key.spec.scopes,
  };
}

/** Identifies a caller's API key. */
export function keyPath({ account, keyId }: Caller): string {
  return `${account}/${keyId}`;
}
