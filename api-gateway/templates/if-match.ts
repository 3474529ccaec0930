import { Type } from 'typebox';
import { ApiError } from '../server/errors/api-error.ts';

/** Request header for a change that depends on the version; read by expectedVersion. */
export const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      pattern: '^(\\*|[1-9][0-9]{0,15}|"[1-9][0-9]{0,15}")$',
      description:
        'The version that the change is based on, for example `"7"`. The response is 412 if the template is now at a different version.',
    }),
  ),
});

/**
 * Returns the version that a request expects, or undefined if it has no If-Match header or the header is `*`. Throws
 * ApiError `invalid_request` unless the header is exactly one version.
 */
export function expectedVersion(header: string | undefined): number | undefined {
  if (header === undefined || header === '*') return undefined;
  const version = /^("?)([1-9]\d{0,15})\1$/.exec(header)?.[2];
  if (version !== undefined) return Number(version);
  const message = 'The If-Match header must be a version of the template, for example "7", or *.';
  throw new ApiError('invalid_request', message);
}

/** Throws ApiError `version_conflict` (412) when the template's version is not the expected one. */
export function checkVersion(id: string, expected: number | undefined, current: number): void {
  if (expected === undefined || expected === current) return;
  const message = `The template ${id} is at version ${current}, but the change is based on version ${expected}. Read the template again and retry the change.`;
  throw new ApiError('version_conflict', message);
}
