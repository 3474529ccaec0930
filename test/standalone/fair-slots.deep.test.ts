import { expect, it } from 'vitest';
import type { GenerationAnswer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { clientWithNewKey } from '../support/keys-command.ts';
import { freshService } from './fresh-service.ts';

/** Takes longer than the deadline of a document, in time that grows with the square of the number of paragraphs. */
const ENDLESS = { html: '<p>Paragraph</p>'.repeat(60_000), css: 'p:has(~ p.missing) { color: red }' };

it.each(['pdf', 'png', 'docx'])(
  'prints documents and previews of an account while slow ones of another hold everything (%s)',
  async (format) => {
    const service = await freshService();
    const { live: greedy, url, kubeconfig } = service;
    const modest = await clientWithNewKey(url, kubeconfig, { account: 'modest' });
    const { id: template_id } = await greedy.createTemplate(ENDLESS);
    const begin = async () =>
      (
        await greedy.post('/v1/generate', { template_id, format, data: {}, async: true })
      ).json<GenerationAnswer>().id;
    const slow = await Promise.all(Array.from({ length: 6 }, begin));
    const statuses = async () =>
      Promise.all(
        slow.map(async (id) => (await greedy.get(`/v1/generate/${id}`)).json<GenerationAnswer>().status),
      );
    await eventually(async () => expect(await statuses()).toContain('processing'));
    // These take the slots that are for synchronous documents. The end of the service ends them.
    for (let index = 0; index < 2; index += 1)
      greedy.post('/v1/generate', { template_id, format, data: {} }).catch(() => undefined);

    const { id } = await modest.createTemplate();
    for (const name of ['Ada', 'Grace', 'Edith']) await modest.generate(id, { name }, { format });
    const preview = await modest.post('/v1/templates/preview', { html: '<p>Draft</p>', data: {}, format });
    expect(preview.status, preview.text).toBe(200);
    expect(await statuses()).not.toContain('failed');
  },
);
