import { beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../../test/support/api.ts';
import { INPUTS, newAccount } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

let api: Api;
beforeEach(async () => {
  ({ api } = await newAccount());
});

const rows = async () =>
  dashboard.page.evaluate(
    `[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].slice(0, 4).map((cell) =>
      (cell.querySelector('span:last-child') ?? cell).innerText.replaceAll(/\\s+/g, ' ').trim()))`,
  );

describe('The requests page', () => {
  it('says that the log is empty', async () => {
    await dashboard.signIn(api.key, '/requests');
    await dashboard.shows('No failed requests or successful writes');
    await dashboard.expectAccessible('requests-empty');
  });

  it.each(INPUTS)(
    'finds a rejected request by its ID, with its code, template and key, using %s',
    async (by) => {
      const schema = { fields: [{ name: 'total', type: 'number' }] };
      const { id: template_id } = await api.createTemplate({
        name: 'Invoice',
        html: '<p>{{total}}</p>',
        schema,
      });
      const made = await api.post('/v1/generate', { template_id, data: { total: 1 }, format: 'html' });
      const { id } = made.json<{ id: string }>();
      const rejected = await api.post('/v1/generate', { template_id, data: { total: 'many' } });
      expect(rejected.status).toBe(422);
      const { request_id } = rejected.json<{ request_id: string }>();
      await dashboard.signIn(api.key, '/requests');
      await dashboard.shows('422', 'data_invalid');
      const shortened = (name: string) => `${name.slice(0, 4)}…${name.slice(-8)}`;
      expect(await rows()).toEqual([
        ['POST /v1/generate', '422 data_invalid', '–', 'Invoice'],
        ['POST /v1/generate', '200', shortened(id), 'Invoice'],
        ['POST /v1/templates', '201', shortened(template_id), '–'],
      ]);
      await dashboard.expectAccessible('requests');
      const overflow = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.documents_wide'))`;
      expect(await dashboard.page.evaluate(overflow)).toBe(0);

      await dashboard.fill('Request ID', request_id);
      await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
      await dashboard.page
        .browserContext()
        .overridePermissions(dashboard.url, ['clipboard-read', 'clipboard-sanitized-write']);
      await dashboard.use(by, `Copy ${request_id}`);
      await dashboard.shows('Copied');
      expect(await dashboard.page.evaluate('navigator.clipboard.readText()')).toBe(request_id);
      await dashboard.use(by, 'Invoice');
      await dashboard.page.waitForFunction(`location.pathname === '/dashboard/templates/${template_id}'`);
    },
  );

  it('filters by result with the keyboard, and leads to the document', async () => {
    const { id: template_id } = await api.createTemplate({ name: 'Letter', html: '<p>Hello</p>' });
    const made = await api.post('/v1/generate', { template_id, data: {}, format: 'html' });
    const { id } = made.json<{ id: string }>();
    expect((await api.get('/v1/generate/gen-unknown')).status).toBe(404);
    await dashboard.signIn(api.key, '/requests');
    await dashboard.shows('document_not_found');
    await dashboard.page.focus('select[name=outcome]');
    await dashboard.page.keyboard.press('ArrowDown');
    await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
    await dashboard.page.keyboard.press('ArrowDown');
    await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length === 2`);
    expect(new URL(dashboard.page.url()).search).toBe('?outcome=succeeded');
    await dashboard.tabTo(id.slice(-8));
    await dashboard.page.keyboard.press('Enter');
    await dashboard.page.waitForFunction(`location.pathname === '/dashboard/documents/${id}'`);
    await dashboard.shows('Letter');
  });
});
