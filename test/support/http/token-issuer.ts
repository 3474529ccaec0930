import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Publishes token signing keys, with OpenID Connect discovery. */
export interface TokenIssuer {
  readonly url: string;
  stop(): void;
}

/** `keys` is a JSON Web Key Set. */
export async function startTokenIssuer(keys: unknown): Promise<TokenIssuer> {
  const server = createServer(({ url }, response) => {
    const discovery = { issuer: issuerUrl(), jwks_uri: `${issuerUrl()}keys` };
    response.end(JSON.stringify(url === '/keys' ? keys : discovery));
  });
  const issuerUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: issuerUrl(), stop: () => void server.close() };
}
