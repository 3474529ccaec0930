import { describe, expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { live, test } from './service-under-test.ts';

describe('Ambiguous cases', () => {
  it('DELETE /v1/generate/batch answers 405, because batch is not a document id', async () => {
    const answer = await live.delete('/v1/generate/batch');
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  it('a test key can change and delete templates', async () => {
    const { id } = await test.createTemplate();
    expect((await test.patch(`/v1/templates/${id}`, { name: 'By a test key' })).status).toBe(200);
    expect((await live.get(`/v1/templates/${id}`)).json()['name']).toBe('By a test key');
    expect((await test.delete(`/v1/templates/${id}`)).status).toBe(200);
  });
});
