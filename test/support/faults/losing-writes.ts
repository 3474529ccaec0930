import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';

/**
 * Drops up to `most` matching requests: `before` the server receives them, or `after`, so that only the response is
 * lost.
 */
export function losing(isIts: (request: ApiRequest) => boolean, when: 'before' | 'after', most = 1) {
  let left = most;
  return (transport: ApiTransport): ApiTransport => ({
    async send(request) {
      if (!isIts(request) || left === 0) return transport.send(request);
      left -= 1;
      if (when === 'after') {
        const { body } = await transport.send(request);
        for await (const _ of body);
      }
      throw new Error('the connection broke');
    },
  });
}

/** Drops requests that create an object of a resource. */
export function losingCreates(resource: string, when: 'before' | 'after', most = 1) {
  return losing(({ method, path }) => method === 'POST' && path.endsWith(`/${resource}`), when, most);
}
