import type { ApiRequest, ApiTransport } from '@trifold/platform/kubernetes/transport.ts';

/**
 * Loses what creates an object of a resource: `before` the server has it, or `after`, so that only the answer is lost.
 * At most `most` times.
 */
export function losingCreates(resource: string, when: 'before' | 'after', most = 1) {
  let left = most;
  const isCreate = ({ method, path }: ApiRequest) => method === 'POST' && path.endsWith(`/${resource}`);
  return (transport: ApiTransport): ApiTransport => ({
    async send(request) {
      if (!isCreate(request) || left === 0) return transport.send(request);
      left -= 1;
      if (when === 'after') {
        const { body } = await transport.send(request);
        for await (const _ of body);
      }
      throw new Error('the connection broke');
    },
  });
}
