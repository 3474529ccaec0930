import type { ApiTransport } from './transport.ts';

const FORM = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

/**
 * Wraps a transport to request only the metadata of objects. For reads only, by callers that need to know which objects
 * exist, not their content. Selectors still apply to the whole object.
 */
export function metadataOnly(transport: ApiTransport): ApiTransport {
  return {
    send: async (request) => {
      const isWatch = request.query?.['watch'] === 'true';
      return transport.send({ ...request, headers: { accept: isWatch ? FORM : `${FORM}List` } });
    },
  };
}
