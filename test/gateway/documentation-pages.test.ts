import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayFixture } from './gateway-fixture.ts';

let gateway: GatewayFixture;
let page: string;
let policy: string;
beforeAll(async () => {
  gateway = await GatewayFixture.start();
  const answer = await gateway.call('GET', '/docs', { key: '' });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^req-/);
  page = answer.body;
  policy = String(answer.headers['content-security-policy']);
});
afterAll(async () => gateway.stop());

interface OpenApi {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  readonly components: { readonly schemas: Record<string, { properties?: Record<string, unknown> }> };
}

describe('/docs', () => {
  it('tells of every operation, its answers, and every schema with its members', async () => {
    const document = (await gateway.call('GET', '/v1/openapi.json', { key: '' })).json<OpenApi>();
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(methods)) {
        const [, after = ''] = page.split(`<section class="operation" id="${operationId}">`);
        const [section = ''] = after.split('</section>');
        expect(section, operationId).toContain(`>${method.toUpperCase()}</b> <code>${path}</code>`);
        for (const status of Object.keys(responses)) expect(section).toContain(`">${status}</b>`);
      }
    }
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      const [, after = ''] = page.split(`id="schema-${name}">`);
      const [section = ''] = after.split('</section>');
      for (const member of Object.keys(properties)) expect(section, name).toContain(`<code>${member}</code>`);
    }
  });

  it('is where / leads to', async () => {
    const answer = await gateway.call('GET', '/', { key: '' });
    expect(answer.statusCode).toBe(302);
    expect(answer.headers['location']).toBe('/docs');
  });

  it('links only to what is there', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]));
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(50);
    for (const link of links) {
      if (link.startsWith('#')) expect(ids, link).toContain(link.slice(1));
      else expect(link).toBe('/v1/openapi.json');
    }
  });

  it('loads nothing and runs nothing: its policy allows its own style sheet alone', () => {
    expect(page).not.toMatch(
      /<(script|link|img|iframe|object|form)\b|\bsrc=|@import|url\(|\son\w+=|\sstyle=/i,
    );
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`style-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
  });

  it('is there with a slash at the end, and answers other methods as every path does', async () => {
    expect((await gateway.call('GET', '/docs/', { key: '' })).body).toBe(page);
    expect((await gateway.call('HEAD', '/docs', { key: '' })).statusCode).toBe(200);
    const refused = await gateway.call('POST', '/docs', { key: '', body: {} });
    expect(refused.json()).toMatchObject({ statusCode: 405, code: 'method_not_allowed' });
    expect((await gateway.call('GET', '/docs/nothing', { key: '' })).json()).toMatchObject({
      code: 'route_not_found',
    });
  });
});
