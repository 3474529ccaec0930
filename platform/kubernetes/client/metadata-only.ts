import type { ApiTransport } from './transport.ts';

/** Value of the Accept header for the metadata of one object. */
export const METADATA_FORM = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

/**
 * Wraps a transport to request only the metadata of objects. For reads only, by callers that need to know which objects
 * exist, not their content. Selectors still apply to the whole object.
 */
export function metadataOnly(transport: ApiTransport): ApiTransport {
  return {
    send: async (request) => {
      const isWatch = request.query?.['watch'] === 'true';
      return transport.send({
        ...request,
        headers: { accept: isWatch ? METADATA_FORM : `${METADATA_FORM}List` },
      });
    },
  };
}
