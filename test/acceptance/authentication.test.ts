import { describe, expect, it } from 'vitest';
import { Api, expectError } from '../support/api.ts';
import { live, stranger, test, url } from './service-under-test.ts';

const UNKNOWN_KEY = `tf_live_${'A1b2'.repeat(10)}xyz`;
const KEY = live.key as string;

describe('Authentication', () => {
  it('accepts a live key and a test key', async () => {
    expect((await live.get('/v1/templates')).status).toBe(200);
    expect((await test.get('/v1/templates')).status).toBe(200);
  });

  it.each([
    ['a request without a key', ''],
    ['an unsupported scheme', `Basic ${Buffer.from(`key:${KEY}`).toString('base64')}`],
    ['the key without a scheme', KEY],
    ['a scheme without a key', 'Bearer'],
    ['an empty key', 'Bearer  '],
    ['an unknown key', `Bearer ${UNKNOWN_KEY}`],
    ['a key that lacks its last character', `Bearer ${KEY.slice(0, -1)}`],
    ['a key with an extra character', `Bearer ${KEY}a`],
    ['a key whose last character differs', `Bearer ${KEY.slice(0, -1)}${KEY.endsWith('a') ? 'b' : 'a'}`],
    ['a live key that claims to be a test key', `Bearer ${KEY.replace('tf_live_', 'tf_test_')}`],
    ['a key of another service', 'Bearer sk_live_51H8x2eZvKYlo2C0aQ'],
    ['two keys', `Bearer ${KEY} ${KEY}`],
    ['a very long key', `Bearer tf_live_${'a'.repeat(6000)}`],
    ['a name from Object.prototype', 'Bearer __proto__'],
  ])('rejects %s', async (_what, authorization) => {
    const answer = await stranger.get('/v1/templates', { authorization });
    const body = expectError(answer, 401);
    expect(body.error).toBe('Unauthorized');
    expect(body).not.toHaveProperty('missingScopes');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });

  it.each([
    ['GET', '/v1/templates'],
    ['POST', '/v1/templates'],
    ['GET', '/v1/templates/tpl-unknown'],
    ['PATCH', '/v1/templates/tpl-unknown'],
    ['DELETE', '/v1/templates/tpl-unknown'],
    ['POST', '/v1/generate'],
    ['GET', '/v1/generate/gen-unknown'],
    ['GET', '/v1/generate/gen-unknown/download'],
  ])('precedes all other checks for %s %s', async (method, path) => {
    const body = method === 'POST' || method === 'PATCH' ? '{ this is not JSON' : undefined;
    expectError(await stranger.send(method, path, { body }), 401);
  });

  it('does not accept a key in the query', async () => {
    expectError(await stranger.get(`/v1/templates?api_key=${KEY}&key=${KEY}&authorization=${KEY}`), 401);
  });

  it('returns the same code for a malformed and an unknown key', async () => {
    const [malformed, unknown] = await Promise.all(
      ['Bearer nonsense', `Bearer ${UNKNOWN_KEY}`].map((authorization) =>
        stranger.get('/v1/templates', { authorization }),
      ),
    );
    expect(malformed!.json()['code']).toBe(unknown!.json()['code']);
  });

  it('does not repeat a rejected key in the answer', async () => {
    const answer = await new Api(url, UNKNOWN_KEY).get('/v1/templates');
    expect(answer.text).not.toContain(UNKNOWN_KEY.slice(8));
  });
});
