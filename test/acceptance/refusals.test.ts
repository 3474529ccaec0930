import { describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { live, test } from './service-under-test.ts';

describe('what could be taken for something else', () => {
  it('batch is the name of what is only POSTed to, not the id of a document', async () => {
    const answer = await live.get('/v1/generate/batch');
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('a test key can do everything with templates', async () => {
    const { id } = await test.createTemplate();
    expect((await test.patch(`/v1/templates/${id}`, { name: 'By a test key' })).status).toBe(200);
    expect((await live.get(`/v1/templates/${id}`)).json()['name']).toBe('By a test key');
    expect((await test.delete(`/v1/templates/${id}`)).status).toBe(200);
  });
});
