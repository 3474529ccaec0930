import type { HTTPRequest } from 'puppeteer-core';
import { describe, expect, it } from 'vitest';
import { newAccount } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

describe('The template list', () => {
  it('shows, filters, duplicates, deletes and opens templates', async () => {
    const { key, client } = await newAccount();
    const { templates } = client;
    const reader = await client.apiKeys.create({ name: 'Reader', scopes: ['templates:read'] });
    await dashboard.signIn(reader.key, '/templates');
    await dashboard.shows('No templates yet');
    expect(await dashboard.text()).not.toMatch(/New template|Begin with an example/);
    await dashboard.signIn(key, '/templates');
    await dashboard.shows('Begin with an example');
    await dashboard.expectAccessible('templates-empty');
    const html = '<p>{{name}}</p>';
    const css = 'p { color: red }';
    await templates.create({ name: 'Letter', description: '<b>Bold</b>', html, css });
    await templates.create({ name: 'Old offer', html, status: 'archived' });
    await dashboard.page.reload();
    await dashboard.shows('<b>Bold</b>');
    await dashboard.page.waitForFunction(
      `[...document.querySelectorAll('tbody img')].filter((image) => image.naturalWidth > 500).length === 2`,
    );
    await dashboard.press('Duplicate Letter');
    await dashboard.shows('"Copy of Letter" is created as a draft');
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
    await dashboard.shows('No templates match');
    const names = (await templates.page()).data.map(({ name }) => name);
    expect(names).toEqual(['Old offer', 'Letter']);
    await dashboard.go('/templates');
    await dashboard.page.locator('tbody a').wait();
    await dashboard.page.focus('tbody a');
    await dashboard.page.keyboard.press('Enter');
    await dashboard.shows('Version 1');
    await dashboard.page.locator('.cm-content').wait();
    // A message stays with its page.
    await dashboard.keys('Control', 's');
    await dashboard.shows('There are no changes to save');
    await dashboard.press('← Templates');
    await dashboard.shows('Old offer');
    expect(await dashboard.text()).not.toContain('There are no changes');
    // Even if the user has gone to another page.
    await dashboard.page.setRequestInterception(true);
    const held = Promise.withResolvers<HTTPRequest>();
    dashboard.page.on('request', (request) => {
      if (request.method() === 'POST') held.resolve(request);
      else void request.continue();
    });
    await dashboard.press('Duplicate Letter', 'API keys');
    const request = await held.promise;
    await dashboard.shows('This session');
    await Promise.all([dashboard.page.waitForResponse(request.url()), request.continue()]);
    await dashboard.press('Templates');
    await dashboard.shows('"Copy of Letter" is created as a draft');

    await dashboard.keys('Control', 'k');
    await dashboard.shows('Go to Usage and billing');
    await dashboard.screenshots('page-commands');
    await dashboard.page.keyboard.type('usage');
    await dashboard.page.keyboard.press('Enter');
    await dashboard.shows('Finished work counts toward the day');
  });
});
