import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { GenerationAnswer } from '../support/api.ts';
import { live } from './service-under-test.ts';

async function generated(html: string, data: object = {}, members: object = {}): Promise<GenerationAnswer> {
  const template_id = (await live.createTemplate({ html })).id;
  const answer = await live.post('/v1/generate', { template_id, data, ...members });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json<GenerationAnswer>();
}

describe('Warnings of a document', () => {
  it('name an image that was not loaded, in the answer and in the status', async () => {
    const document = await generated('<p>x</p><img src="https://images.example/logo.png?token=secret">');
    expect(document).toMatchObject({
      status: 'completed',
      warnings: [
        {
          code: 'resource_blocked',
          message: expect.stringContaining('image'),
          detail: 'https://images.example/logo.png?…',
        },
      ],
    });
    const status = await live.get(document.status_url);
    expect(status.json<GenerationAnswer>().warnings).toEqual(document.warnings);
  });

  it.each(['pdf', 'html'])('name a binding that the data does not have: %s', async (format) => {
    const html = '<p>{{number}}</p>\n<p>{{customer.name}}{{#if note}}{{note}}{{/if}}</p>';
    const document = await generated(html, { number: 'A-17' }, { format });
    expect(document.warnings).toEqual([
      { code: 'binding_missing', message: expect.stringContaining('line 2'), detail: 'customer.name' },
    ]);
  });

  it('are in the status of a document that nobody waited for', async () => {
    const html = '<p>x</p><link rel="stylesheet" href="https://cdn.example/print.css">';
    const { status_url, ...accepted } = await generated(html, {}, { async: true });
    expect(accepted).not.toHaveProperty('warnings');
    await eventually(async () => {
      const document = (await live.get(status_url)).json<GenerationAnswer>();
      expect(document).toMatchObject({ warnings: [{ detail: 'https://cdn.example/print.css' }] });
    });
  });

  it('are in the status of each item of a batch', async () => {
    const template_id = (await live.createTemplate({ html: '<p>{{name}}</p>' })).id;
    const items = [{ data: { name: 'Ada' } }, { data: {} }];
    const created = await live.post('/v1/generate/batch', { template_id, format: 'pdf', items });
    expect(created.status, created.text).toBe(202);
    const { status_url } = created.json<{ status_url: string }>();
    await eventually(async () => {
      const batch = (await live.get(status_url)).json<{ status: string; items: object[] }>();
      expect(batch.status).toBe('completed');
      expect(batch.items[1]).toMatchObject({ warnings: [{ code: 'binding_missing', detail: 'name' }] });
      expect(batch.items[0]).not.toHaveProperty('warnings');
    });
  });

  it('are an empty list when nothing was noticed', async () => {
    expect((await generated('<p>Hello {{name}}</p>', { name: 'Ada' })).warnings).toEqual([]);
  });
});
