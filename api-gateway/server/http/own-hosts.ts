import { isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { ApiError } from '../errors/api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts any Host header: probes can use any name for the service. */
    anyHost?: boolean;
  }
}

/**
 * Rejects requests whose Host header is neither a name of this service nor an IP address (421). In a DNS rebinding
 * attack, another site's name resolves to this machine, so that browsers treat its pages as pages of this service.
 * `names`: host names of this service in addition to `localhost`, without ports.
 */
export const ownHosts = fastifyPlugin(
  async (app: FastifyInstance, { names }: { readonly names: readonly string[] }) => {
    const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
    app.addHook('onRequest', async ({ headers: { host }, routeOptions }) => {
      // Only HTTP/1.0, which browsers never send, works without a Host header.
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

/** The characters allowed in a host name, an IPv4 address, an IPv6 address in brackets, and a port. */
const HOST = /^[\w.:[\]-]+$/;

/**
 * Returns the host of a Host header in lower case, without its port; IPv6 addresses keep their brackets. Returns an
 * empty string if the header contains any other part of a URL, such as a path or user information.
 */
export function hostnameOf(host = ''): string {
  return HOST.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
