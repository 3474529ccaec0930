import { ClientMetadata, MAX_METADATA_NAME_LENGTH, MAX_METADATA_SIZE } from '@trifold/crds';
import { ApiError } from '../../server/errors/api-error.ts';

/** The `metadata` field of a request. `validateMetadata` checks its size. */
export const RequestMetadata = ClientMetadata({
  propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME_LENGTH },
  description:
    'Up to 20 strings that the service stores and shows with the document. Names have up to 40 characters; the JSON has up to 1,024 bytes.',
});

/** Returns the metadata. Throws ApiError `invalid_request` with `path` if it is too large. */
export function validateMetadata(metadata: ClientMetadata, path: string): ClientMetadata {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes <= MAX_METADATA_SIZE) return metadata;
  const message = `must have at most ${MAX_METADATA_SIZE} bytes of JSON, but has ${bytes}`;
  throw new ApiError('invalid_request', `${path} ${message}`, { details: [{ path, message }] });
}
