import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';
import { hostnameOf } from './host-header.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route answers requests with any Host header: probes name the service as they like. */
    anyHost?: boolean;
  }
}

export interface OwnHostsOptions {
  /** Names of this service in addition to `localhost`, without ports. */
  readonly names: readonly string[];
}

/**
 * Refuses requests whose Host header is neither a name of this service nor an IP address (421). In a DNS rebinding
 * attack, the name of another site leads to this machine, and its pages then count as pages of this service.
 */
export const ownHosts = fastifyPlugin(
  async (app: FastifyInstance, { names }: OwnHostsOptions) => {
    const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
    app.addHook('onRequest', async ({ headers: { host }, routeOptions }) => {
      // Only HTTP/1.0, which no browser sends, works without a Host header.
      if (host === undefined || routeOptions.config.anyHost === true) return;
      const name = hostnameOf(host).replace(/^\[(.*)\]$/, '$1');
      if (!own.has(name) && isIP(name) === 0) throw unknownHost(host);
    });
  },
  { name: 'own-hosts' },
);

function unknownHost(host: string): ApiError {
  const message = `The Host header ${JSON.stringify(host)} does not name this service. Add the name to TRIFOLD_HOSTS.`;
  return new ApiError('unknown_host', message);
}
