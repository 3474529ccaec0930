import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TcpProxy } from '../support/faults/tcp-proxy.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import { launchBrowser } from '../support/processes/browser.ts';
import { account, live, service, url } from './service-under-test.ts';

interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

let browser: Browser;
let page: Page;
let key: string | undefined;
const servers: Server[] = [];
let relay: TcpProxy;
/** Address of the service on this machine: the only place where sign-in works over plain http. */
let ownUrl: string;
/** A page on another port of this machine, which browsers treat as the same site. */
let otherUrl: string;

async function listening(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  browser = await launchBrowser();
  ({ key } = await clientWithNewKey(url, service.kubeconfig, { account }));
  relay = await TcpProxy.to(url);
  ownUrl = relay.via(url);
  const page = '<!doctype html><title>Another site</title>';
  otherUrl = await listening(
    createServer((_, response) => response.setHeader('content-type', 'text/html').end(page)),
  );
});
afterAll(async () => {
  await browser.close();
  await relay.close();
  for (const server of servers) server.close();
});

beforeEach(async () => {
  const context = await browser.createBrowserContext();
  page = await context.newPage();
  await page.goto(`${ownUrl}/healthz`);
});
afterEach(async () => page.browserContext().close());

/** Sends a request with cookies from a page, as a script on that page would. */
async function send(from: Page, method: string, path: string, body?: object): Promise<ApiResponse> {
  const options = {
    method,
    credentials: 'include',
    headers: { 'content-type': 'application/json', 'x-trifold-session': '1' },
    ...(body && { body: JSON.stringify(body) }),
  };
  const script = `fetch(${JSON.stringify(new URL(path, ownUrl))}, ${JSON.stringify(options)}).then(
    async (answer) => ({ status: answer.status, body: answer.status === 204 ? null : await answer.json() }))`;
  return (await from.evaluate(script)) as ApiResponse;
}

const signIn = async () => send(page, 'POST', '/dashboard/session', { key });

describe('A user in a browser', () => {
  it('signs in, uses the API and signs out', async () => {
    expect(await signIn()).toMatchObject({ status: 201, body: { account } });
    const created = await send(page, 'POST', '/v1/templates', { name: 'From a page', html: '<p>Hello' });
    expect(created).toMatchObject({ status: 201, body: { name: 'From a page' } });
    await page.reload();
    expect(await send(page, 'GET', '/v1/templates')).toMatchObject({ status: 200 });
    expect((await send(page, 'DELETE', '/dashboard/session')).status).toBe(204);
    const expected = { status: 401, body: { code: 'missing_key' } };
    expect(await send(page, 'GET', '/v1/templates')).toMatchObject(expected);
  });

  it('never keeps the key in the browser', async () => {
    await signIn();
    expect(await page.evaluate('document.cookie')).toBe('');
    const cookies = await page.browserContext().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'trifold_session', httpOnly: true, sameSite: 'Strict' },
    ]);
    expect(JSON.stringify(cookies)).not.toContain((key ?? 'no key').slice(8));
  });

  it('is safe from a page on another port, which can neither read nor change anything', async () => {
    await signIn();
    const evil = await page.browserContext().newPage();
    await evil.goto(otherUrl);
    for (const method of ['GET', 'POST', 'DELETE']) {
      await expect(
        send(evil, method, '/v1/templates', method === 'POST' ? { name: 'Forged', html: 'x' } : undefined),
      ).rejects.toThrow('Failed to fetch');
    }
    await Promise.all([
      evil.waitForNavigation(),
      evil.evaluate(`document.body.innerHTML = '<form method="post" enctype="text/plain" action="${ownUrl}/v1/templates">' +
        '<input name=\\'{"name":"Forged","html":"\\' value=\\'"}\\'></form>'; document.forms[0].submit()`),
    ]);
    expect(await evil.evaluate('document.body.innerText')).not.toContain('Forged');
    const names = (await live.get('/v1/templates?limit=100')).json<{ data: { name: string }[] }>().data;
    expect(names.map(({ name }) => name)).not.toContain('Forged');
    expect(await send(page, 'GET', '/dashboard/session')).toMatchObject({ status: 200 });
  });

  it('cannot see a dashboard page in a frame of another page', async () => {
    await signIn();
    const evil = await page.browserContext().newPage();
    await evil.goto(otherUrl);
    const framed = async (url: string) => {
      await evil.evaluate(`new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(url)}, onload: resolve });
        document.body.replaceChildren(frame);
      })`);
      return evil.frames().at(-1)?.url();
    };
    expect(await framed(otherUrl)).toBe(`${otherUrl}/`);
    for (const path of ['/dashboard/', '/dashboard/keys', '/dashboard/frame']) {
      expect(await framed(ownUrl + path), path).toBe('chrome-error://chromewebdata/');
    }
  });
});
