import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { parseAllowedHost } from '@trifold/platform/settings/setting-forms.ts';
import { allowedResources } from '@trifold/renderer/network/allowed-resources.ts';
import {
  createAuthority,
  createServerCertificate,
  type KeyPair,
} from '@trifold/embedded-apiserver/tls/certificates.ts';
import { afterEach, beforeAll, afterAll, expect, it } from 'vitest';

const NAME = 'cdn.example';
const usual = getCACertificates('default');
const authority = await createAuthority(new Date());

const servers: Server[] = [];
/** Requests that passed the handshake. */
const asked: string[] = [];
// Like NODE_EXTRA_CA_CERTS.
beforeAll(() => setDefaultCACertificates([...usual, authority.certificate]));
afterAll(() => setDefaultCACertificates(usual));
afterEach(() => {
  asked.length = 0;
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** Starts a server with the certificate; `/away` redirects to port `next`. */
const serve = async ({ certificate, key }: KeyPair, next = 0): Promise<number> => {
  const server = createServer({ cert: certificate, key }, ({ url }, response) => {
    asked.push(url ?? '');
    if (url === '/away') response.writeHead(302, { location: `https://${NAME}:${next}/logo.png` }).end();
    else response.setHeader('content-type', 'image/png').end('picture');
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};
const get = async (path: string, ...ports: readonly number[]) => {
  const resources = allowedResources({
    hosts: ports.map((port) => parseAllowedHost(`${NAME}:${port}`)),
    addresses: [parseAddressRange('127.0.0.1')],
    resolver: { resolve: () => Promise.resolve(['127.0.0.1']) },
    clock: systemClock,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  const { signal } = new AbortController();
  const got = await resources(signal)(`https://${NAME}:${ports[0]}${path}`);
  return typeof got === 'string' ? undefined : got.body.toString();
};
const good = () => createServerCertificate(authority, [NAME], new Date());

it('A resource from an allowed host over HTTPS loads if the host certificate is valid', async () => {
  expect(await get('/logo.png', await serve(await good()))).toBe('picture');
  expect(asked).toEqual(['/logo.png']);
});

it('A resource from an allowed host over HTTPS is neither requested nor loaded if the issuer of the host certificate is unknown', async () => {
  const strange = await createAuthority(new Date());
  const bad = await serve(await createServerCertificate(strange, [NAME], new Date()));
  expect(await get('/logo.png', bad)).toBeUndefined();
  expect(asked).toEqual([]);
  // It does not load through a redirect either.
  const detour = await serve(await good(), bad);
  expect(await get('/away', detour, bad)).toBeUndefined();
  expect(asked).toEqual(['/away']);
});
