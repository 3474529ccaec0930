import type { ApiTransport } from './transport.ts';

const FORM = 'application/json;g=meta.k8s.io;v=v1;as=PartialObjectMetadata';

/**
 * Asks the API server for objects without anything but their metadata: for reads only, by whoever needs to know which
 * objects there are and not what is in them. Selectors still see the whole object.
 */
export function metadataOnly(transport: ApiTransport): ApiTransport {
  return {
    send: async (request) => {
      const isWatch = request.query?.['watch'] === 'true';
      return transport.send({ ...request, headers: { accept: isWatch ? FORM : `${FORM}List` } });
    },
  };
}
