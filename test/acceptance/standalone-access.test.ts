import { describe, expect, it } from 'vitest';
import { sendRaw } from '../support/http/raw-connection.ts';
import { newSignInLink } from '../support/keys-command.ts';
import { account, live, service, url } from './service-under-test.ts';

const { dataDirectory } = service;

async function signIn(token: string): Promise<Response> {
  return fetch(`${url}/dashboard/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

/** Sends a request as a page of another site would if the site's name resolved to the service. */
async function statusUnder(host: string, path: string): Promise<number> {
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${live.key}`];
  return (await sendRaw(url, `${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`)).status;
}

describe.skipIf(dataDirectory === undefined)('The standalone service', () => {
  it('accepts the link from `trifold dashboard` once', async () => {
    const [address, token = ''] = (await newSignInLink(dataDirectory ?? '')).split('#token=');
    expect(address).toBe(`${url}/dashboard/`);
    const signedIn = await signIn(token);
    expect(await signedIn.json()).toMatchObject({ account, key: { name: 'Dashboard (this machine)' } });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    expect((await fetch(`${url}/v1/templates`, { headers })).status).toBe(200);

    const again = await signIn(token);
    expect(again.status).toBe(401);
    expect(await again.json()).toMatchObject({ code: 'invalid_sign_in_link' });
  });

  it('rejects the host names of other sites, except for its probes', async () => {
    const { port } = new URL(url);
    expect(await statusUnder(`evil.example:${port}`, '/v1/templates')).toBe(421);
    expect(await statusUnder(`evil.example:${port}`, '/healthz')).toBe(200);
    expect(await statusUnder(`localhost:${port}`, '/v1/templates')).toBe(200);
  });
});
