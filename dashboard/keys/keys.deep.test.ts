import { beforeEach, describe, expect, it } from 'vitest';
import { service } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

beforeEach(async () => {
  await dashboard.signIn(service.liveKey, '/keys');
});

describe('The API keys page', () => {
  it('creates a key that works, shows it once, and revokes it', async () => {
    await dashboard.press('Create a key');
    await dashboard.fill('Name', 'Made in the dashboard');
    await dashboard.screenshots('keys-create');
    await dashboard.page.locator('dialog button[type=submit]').click();
    await dashboard.shows('Copy the key now');
    const key = String(await dashboard.page.evaluate('document.querySelector("dialog pre").innerText'));
    const headers = { authorization: `Bearer ${key}` };
    const status = async () => (await fetch(`${service.url}/v1/templates`, { headers })).status;
    expect(await status()).toBe(200);
    await dashboard.press('I stored the key');
    await dashboard.page.waitForFunction(`!document.querySelector('dialog')`);
    expect(await dashboard.page.evaluate('document.documentElement.outerHTML')).not.toContain(key.slice(8));
    await dashboard.shows('Made in the dashboard');
    await dashboard.screenshots('keys');

    await dashboard.press('Revoke Made in the dashboard');
    await dashboard.shows('This cannot be undone');
    await dashboard.page.locator('dialog .button_danger').click();
    await dashboard.shows('"Made in the dashboard" revoked');
    expect(await status()).toBe(401);
  });

  it('creates a key using only the keyboard', async () => {
    const { keyboard } = dashboard.page;
    await dashboard.page.locator('.page_header .button_primary').wait();
    await dashboard.page.focus('.page_header .button_primary');
    await keyboard.press('Enter');
    await dashboard.page.waitForFunction(`document.activeElement.name === 'name'`);
    await keyboard.type('By keyboard');
    await keyboard.press('Enter');
    await dashboard.shows('Copy the key now');
    // Neither key press accidentally closes the dialog.
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    // The focus is on Copy. The browser denies clipboard access, as it does on a plain HTTP page.
    await dashboard.page.browserContext().overridePermissions(dashboard.url, []);
    await keyboard.press('Enter');
    await dashboard.shows('Selected: press Ctrl+C');
    const [selected, key] = ['getSelection().toString()', 'document.querySelector("dialog pre").innerText'];
    expect(await dashboard.page.evaluate(`${selected} === ${key}`)).toBe(true);
    await dashboard.tabTo('I stored the key');
    await keyboard.press('Enter');
    await dashboard.page.waitForFunction(`!document.querySelector('dialog')`);
    await dashboard.shows('By keyboard');
  });
});
