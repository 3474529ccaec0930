import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { live, test } from './service-under-test.ts';

/** What the interface has and this service has not built yet: said, never ignored. */
describe('what is not built yet is refused, not ignored', () => {
  let template: string;
  beforeAll(async () => {
    template = (await live.createTemplate()).id;
  });

  it.each<[string, Record<string, unknown>]>([['format docx', { format: 'docx' }]])(
    '%s on a generation',
    async (_what, more) => {
      for (const async of [false, true]) {
        const answer = await live.post('/v1/generate', { template_id: template, data: {}, async, ...more });
        const error = expectError(answer, 422, 'not_supported_yet');
        expect(error.message).toMatch(/not .*yet|not supported/i);
      }
    },
  );

  it('batch is the name of what is only POSTed to, not the id of a document', async () => {
    const answer = await live.get('/v1/generate/batch');
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('format pdf, the one there is, is taken', async () => {
    await live.generate(template, {}, { format: 'pdf' });
  });

  it('a test key can do everything with templates', async () => {
    const { id } = await test.createTemplate();
    expect((await test.patch(`/v1/templates/${id}`, { name: 'By a test key' })).status).toBe(200);
    expect((await live.get(`/v1/templates/${id}`)).json()['name']).toBe('By a test key');
    expect((await test.delete(`/v1/templates/${id}`)).status).toBe(200);
  });
});
