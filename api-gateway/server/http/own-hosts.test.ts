import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared({ hosts: ['Docs.example.com'] });

const get = async (path: string, host: string) => gateway.call('GET', path, { headers: { host } });

describe('A gateway with a list of host names', () => {
  it.each([
    'localhost',
    'localhost:8080',
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.168.1.7:8080',
    '[fe80::1]',
    'docs.example.com',
    'DOCS.EXAMPLE.COM:443',
  ])('accepts %s', async (host) => {
    expect((await get('/v1/templates', host)).statusCode).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:8080',
    'docs.example.com.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'evil.example@localhost',
    'localhost/../evil',
    'localhost#',
    'localhost?',
    'localhost\\evil',
    'local\thost',
    '%6cocalhost',
    'localhost:99999',
    '[',
  ])('rejects the name "%s" on every path, and names the setting', async (host) => {
    for (const path of ['/v1/templates', '/docs/', '/v1/openapi.json', '/nowhere']) {
      const response = await get(path, host);
      expect(response.statusCode, path).toBe(421);
      expect(response.json()).toMatchObject({
        code: 'unknown_host',
        message: expect.stringContaining('TRIFOLD_HOSTS') as unknown,
      });
    }
  });

  it.each(['/healthz', '/readyz', '/metrics'])('returns %s for every name', async (path) => {
    expect((await get(path, 'trifold-7f9c.internal:8080')).statusCode).toBe(200);
  });
});
