import { expect, it } from 'vitest';
import { freshService } from './fresh-service.ts';

const BACKLOG = 200;

it('prints synchronous documents and previews before waiting asynchronous ones from the same account', async () => {
  const { live } = await freshService();
  const { id: template_id } = await live.createTemplate({ html: '<p>{{number}}</p>' });
  const backlog = await Promise.all(
    Array.from({ length: BACKLOG }, async (_, number) => {
      const response = await live.post('/v1/generate', { template_id, data: { number }, async: true });
      expect(response.status, response.text).toBe(202);
      return response.json<{ id: string }>().id;
    }),
  );
  await live.generate(template_id, { number: BACKLOG });
  const preview = await live.post('/v1/templates/preview', { html: '<p>Draft</p>', data: {} });
  expect(preview.status, preview.text).toBe(200);

  const last = backlog.toSorted().at(-1) ?? '';
  expect((await live.get(`/v1/generate/${last}`)).json()).toMatchObject({ status: 'pending' });
  expect((await live.finished(last)).status).toBe('completed');
});
