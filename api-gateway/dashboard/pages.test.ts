import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { dashboardPages } from './pages.ts';

it.each(['/dashboard', '/dashboard/templates'])(
  'names the command that builds the pages at %s',
  async (url) => {
    const app = fastify();
    const logger = createLogger({ level: 'silent', name: 'test' });
    await app.register(dashboardPages, { logger, hasLinks: false, oidc: undefined, directory: '/nowhere/' });
    const { statusCode, body } = await app.inject(url);
    const command = expect.stringContaining('npm ci --include=dev --ignore-scripts=false') as string;
    expect([statusCode, body]).toEqual([404, command]);
  },
);

it('returns 404 in the common format for an unknown asset', async () => {
  const config = { sessionSecret: 'a secret of at least 32 characters' };
  const gateway = await GatewayFixture.forTest({ config });
  const failures: unknown[] = [];
  for (const name of ['missing.js', '', 'nested/missing.js?query', '.hidden', '..%2findex.html']) {
    const response = await gateway.call('GET', `/dashboard/assets/${name}`, { key: '' });
    const { statusCode, code, request_id: id } = response.json<Record<string, unknown>>();
    if (statusCode !== 404 || code !== 'route_not_found' || id === undefined)
      failures.push([name, response.body]);
  }
  expect(failures).toEqual([]);
});

it('compresses the assets for a browser that accepts it', async () => {
  const config = { sessionSecret: 'a secret of at least 32 characters' };
  const gateway = await GatewayFixture.forTest({ config });
  const page = await gateway.call('GET', '/dashboard/', { key: '' });
  const [script = ''] = /\/dashboard\/assets\/index-[^"]+\.js/.exec(page.body) ?? [];
  const get = (encoding: string) =>
    gateway.call('GET', script, { key: '', headers: { 'accept-encoding': encoding } });
  const [plain, brotli, gzip] = await Promise.all(['identity', 'gzip, br', 'gzip'].map(get));
  expect(brotli?.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotli?.headers['content-type']).toBe(plain?.headers['content-type']);
  expect(brotliDecompressSync(brotli!.rawPayload)).toEqual(plain?.rawPayload);
  expect(gunzipSync(gzip!.rawPayload)).toEqual(plain?.rawPayload);
});
