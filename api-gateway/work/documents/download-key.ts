import type { Caller } from '../../server/auth/caller.ts';
import type { DownloadAccess } from '../../config.ts';
import { ApiError } from '../../server/errors/api-error.ts';

/**
 * Throws ApiError `different_key` if only the key that created a file may download it and the caller uses another key
 * (interface, "GET /v1/generate/:id/download": the same API key). Work created with kubectl has no key.
 */
export function checkDownloadKey(
  what: 'document' | 'batch',
  madeBy: string | undefined,
  caller: Caller,
  access: DownloadAccess,
): void {
  const isAllowed = access === 'account' || caller.downloads === 'account';
  if (isAllowed || madeBy === undefined || madeBy === caller.keyId) return;
  const message = `The ${what} was made with another API key of this account; download it with that key.`;
  throw new ApiError('different_key', message);
}
