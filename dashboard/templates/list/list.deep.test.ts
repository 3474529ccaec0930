import { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { clientWithNewKey } from '../../../test/support/keys-command.ts';
import { Dashboard } from '../../testing/dashboard.ts';

const service = inject('service');

let dashboard: Dashboard;
beforeEach(async () => {
  dashboard = await Dashboard.open();
});
afterEach(async () => dashboard.close());

/** Opens the list of an account that has no templates yet. */
async function openList(account: string): Promise<TrifoldClient> {
  const { key } = await clientWithNewKey(service.url, service.kubeconfig, { account });
  await dashboard.signIn(key, '/templates');
  return new TrifoldClient({ baseUrl: service.url, apiKey: key });
}

describe('The list of templates', () => {
  it('shows, filters, duplicates and deletes templates', async () => {
    const { templates } = await openList('template-list');
    await dashboard.shows('No templates yet');
    await dashboard.expectAccessible();
    await dashboard.screenshots('templates-empty');
    const html = '<p>{{name}}</p>';
    const css = 'p { color: red }';
    await templates.create({ name: 'Letter', description: '<b>Bold</b>', html, css });
    await templates.create({ name: 'Old offer', html, status: 'archived' });
    await dashboard.page.reload();
    await dashboard.shows('<b>Bold</b>');
    await dashboard.press('Duplicate Letter');
    await dashboard.shows('"Copy of Letter" is created as a draft');
    await dashboard.expectAccessible();
    await dashboard.screenshots('templates');

    await dashboard.fill('Search', 'old');
    await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
    await dashboard.shows('Old offer');
    await dashboard.page.click('input[type=search]', { count: 3 });
    await dashboard.page.keyboard.press('Backspace');
    await dashboard.page.locator('::-p-aria([name="Status"])').fill('draft');
    await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
    await dashboard.press('Delete Copy of Letter');
    await dashboard.shows('This cannot be undone');
    await dashboard.page.locator('dialog .button_danger').click();
    await dashboard.shows('No template matches');
    const names = (await templates.page()).data.map(({ name }) => name);
    expect(names).toEqual(['Old offer', 'Letter']);
  });

  it('opens a template by the keyboard', async () => {
    const { templates } = await openList('template-list-keyboard');
    await templates.create({ name: 'Label', html: '<p>Label</p>' });
    await dashboard.page.reload();
    await dashboard.shows('Label');
    await dashboard.page.focus('tbody a');
    await dashboard.page.keyboard.press('Enter');
    await dashboard.shows('Version 1');
  });
});
