import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { launchBrowser } from '@trifold/test-support/processes/browser.ts';

const gateway = await GatewayFixture.shared();
const url = await gateway.gateway.app.listen({ port: 0, host: '127.0.0.1' });

describe('The API documentation page', () => {
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
  });
  afterAll(() => browser.close());

  const shown = async () => String(await page.evaluate('document.body.innerText'));

  it('opens at / and lists every part of the API', async () => {
    const { tags } = (await gateway.call('GET', '/v1/openapi.json', { key: '' })).json<{
      tags: { name: string }[];
    }>();
    expect(new URL(page.url()).pathname).toBe('/docs/');
    for (const { name } of tags) await eventually(async () => expect(await shown()).toContain(name));
  });

  it('requests nothing from other hosts and violates no rule of its own policy', () => {
    expect(requests.filter((request) => !request.startsWith(`${url}/`))).toEqual([]);
    expect(requests.map((request) => new URL(request).pathname)).toContain('/v1/openapi.json');
    expect(complaints).toEqual([]);
  });

  it('offers no way to send requests with a key', async () => {
    expect(await shown()).not.toContain('Test Request');
  });
});

describe('Documentation paths', () => {
  it('allow no other host and no framing, and cache the script for a day', async () => {
    const answer = await gateway.call('GET', '/docs/', { key: '' });
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
    const script = await gateway.call('GET', '/docs/js/scalar.js', { key: '' });
    expect(script.headers).toMatchObject({
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
  });

  it('handle other methods like every path, and accept any Host', async () => {
    expect((await gateway.call('HEAD', '/docs/', { key: '' })).statusCode).toBe(200);
    const rejected = await gateway.call('POST', '/docs/', { key: '', body: {} });
    expect(rejected.json()).toMatchObject({ statusCode: 405, code: 'method_not_allowed' });
    expect((await gateway.call('GET', '/docs/nothing', { key: '' })).json()).toMatchObject({
      code: 'route_not_found',
    });
    for (const path of ['/docs', '/docs/']) {
      const odd = await gateway.gateway.app.inject({ url: path, headers: { host: '[' } });
      expect(odd.statusCode, path).toBeLessThan(500);
    }
  });
});
