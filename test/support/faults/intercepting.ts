import type { ApiRequest, ApiResponse, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';

/**
 * Calls `before` ahead of each request to the API server. A response that it returns, or an error that it throws,
 * replaces the server's.
 */
export function intercepting(
  before: (request: ApiRequest) => Promise<ApiResponse | void> | ApiResponse | void,
) {
  return (transport: ApiTransport): ApiTransport => ({
    send: async (request) => (await before(request)) ?? transport.send(request),
  });
}
