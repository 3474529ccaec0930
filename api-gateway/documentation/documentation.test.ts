import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';

const gateway = await GatewayFixture.shared();
const url = await gateway.gateway.app.listen({ port: 0, host: '127.0.0.1' });

describe('The documentation in a browser', () => {
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.setViewport({ width: 1400, height: 1000 });
    page.on('request', (request) => requests.push(request.url()));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${url}/`);
    expect(new URL(page.url()).pathname).toBe('/docs/');
  });
  afterAll(() => browser.close());

  const shown = async () => String(await page.evaluate('document.body.innerText'));

  it('finds a section with the keyboard', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('use my own fonts');
    await page.waitForSelector('[aria-selected=true] a[href*=fonts]');
    await page.keyboard.press('Enter');
    await page.waitForFunction("location.href.includes('fonts')");
  });

  it('copies code', async () => {
    await browser.defaultBrowserContext().overridePermissions(url, ['clipboard-sanitized-write']);
    await page.locator('.code .copy').click();
    await eventually(async () => expect(await shown()).toContain('Copied'));
  });

  it('lists every part of the API in its reference', async () => {
    await page.goto(`${url}/docs/api/`);
    const { tags } = (await gateway.call('GET', '/v1/openapi.json', { key: '' })).json<{
      tags: { name: string }[];
    }>();
    for (const { name } of tags) await eventually(async () => expect(await shown()).toContain(name));
  });

  it('requests nothing from other hosts and does not violate its content security policy', () => {
    expect(requests.filter((request) => !request.startsWith(`${url}/`))).toEqual([]);
    expect(requests.map((request) => new URL(request).pathname)).toContain('/v1/openapi.json');
    expect(complaints).toEqual([]);
  });

  it('cannot send requests with a key', async () => {
    expect(await shown()).not.toContain('Test Request');
  });
});

describe('Documentation paths', () => {
  const get = async (path: string, accept = '*/*') =>
    gateway.call('GET', path, { key: '', headers: { accept } });

  it.each(['/docs/', '/docs/api/', '/docs/how-to/fonts.html'])(
    '%s allows no other host and no framing',
    async (path) => {
      const { statusCode, headers } = await get(path);
      const policy = String(headers['content-security-policy']);
      expect(statusCode).toBe(200);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    },
  );

  it('let browsers cache scripts, but not pages', async () => {
    const { body, headers } = await get('/docs/');
    expect(headers['cache-control']).toBe('public, max-age=0');
    const [script = ''] = /assets\/\w+\/site\.js/.exec(body) ?? [];
    expect((await get(`/docs/${script}`)).headers['cache-control']).toContain('immutable');
    expect((await get('/docs/api/js/scalar.js')).headers['cache-control']).toBe('public, max-age=86400');
  });

  it('return a page to browsers for an unknown path, and an error to programs', async () => {
    const page = await get('/docs/nothing/here', 'text/html');
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('href="/docs/');
    expect((await get('/docs/nothing')).json()).toMatchObject({ code: 'route_not_found' });
  });

  it('handle other methods like any other path and accept any Host', async () => {
    expect((await gateway.call('HEAD', '/docs/', { key: '' })).statusCode).toBe(200);
    const rejected = await gateway.call('POST', '/docs/', { key: '', body: {} });
    expect(rejected.json()).toMatchObject({ statusCode: 405, code: 'method_not_allowed' });
    for (const path of ['/docs', '/docs/', '/docs/api', '/docs/api/']) {
      const odd = await gateway.gateway.app.inject({ url: path, headers: { host: '[' } });
      expect(odd.statusCode, path).toBeLessThan(500);
    }
  });
});
