import { describe, expect, it } from 'vitest';
import { TEMPLATE } from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import {
  DEEP_BLOCKS,
  FAR_COMMENTS,
  FEWER_COMMENTS,
  MANY_COMMENTS,
} from '@trifold/test-support/hostile-templates.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

let gateway: GatewayFixture;

describe('A template that is expensive to check', () => {
  it.each([
    ['19,000 comments in 988 KB', MANY_COMMENTS],
    ['4,384 comments in 228 KB', FEWER_COMMENTS],
    ['1,000 comments in 912 KB', FAR_COMMENTS],
    ['blocks as deep as they may nest', DEEP_BLOCKS],
  ])('does not delay another account: %s', async (_what, html) => {
    gateway = await GatewayFixture.forTest();
    const answered: string[] = [];
    const create = gateway
      .call('POST', '/v1/templates', { body: { name: 'Slow', html } })
      .finally(() => answered.push('template'));
    const other = gateway
      .call('GET', '/v1/templates', { key: gateway.otherKey })
      .finally(() => answered.push('other account'));
    expect((await other).statusCode).toBe(200);
    const created = await create;
    expect(created.statusCode, created.body.slice(0, 500)).toBe(201);
    expect(answered).toEqual(['other account', 'template']);
  });

  it('gets 422 at the time limit, whichever part is expensive', async () => {
    gateway = await GatewayFixture.forTest({ checkPool: new CheckPool({ timeoutMs: 4, memoryMib: 256 }) });
    const template_id = await gateway.template();
    const expected = (path: string) => ({
      code: 'template_does_not_compile',
      line: 1,
      column: 1,
      details: [{ path, message: expect.stringContaining('takes longer than 4 ms to check: use fewer') }],
    });
    const create = async (members: object) =>
      gateway.call('POST', '/v1/templates', { body: { name: 'Slow', html: '<p>', ...members } });
    const content = DEEP_BLOCKS.slice(0, 16_000);
    // A larger body would also be parsed in a check process, under the same limit.
    const html = DEEP_BLOCKS.slice(0, 1_584 * 60);
    const answers = [
      ['/html', await create({ html })],
      ['/email/text', await create({ email: { subject: 'Hello', text: DEEP_BLOCKS.slice(0, 1_584 * 40) } })],
      ['/default_options/footer/content', await create({ default_options: { footer: { content } } })],
      [
        '/options/header/content',
        await gateway.call('POST', '/v1/generate', {
          body: { template_id, data: {}, options: { header: { content } } },
        }),
      ],
    ] as const;
    for (const [path, answer] of answers) {
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.json()).toMatchObject(expected(path));
    }
  });

  it('gets 422 when kubectl applied a schema that nests too deeply', async () => {
    gateway = await GatewayFixture.forTest();
    let value: unknown = 0;
    for (let level = 0; level < 300; level += 1) value = [value];
    await gateway.kubernetes.resource(TEMPLATE).create({
      metadata: { name: 'deep', namespace: 'acme' },
      spec: {
        displayName: 'Deep',
        html: '<p>',
        schema: { fields: [{ name: 'a', type: 'array', default: value }] },
      },
    });
    const answer = await gateway.call('POST', '/v1/generate', { body: { template_id: 'deep', data: {} } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      code: 'invalid_schema',
      details: [{ path: '/schema', message: 'nests deeper than 100 levels' }],
    });
  });
});
