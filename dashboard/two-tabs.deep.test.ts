import type { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Dashboard, newAccount } from './testing/dashboard.ts';

let client: TrifoldClient;
let key: string | undefined;
let first: Dashboard;
let second: Dashboard;
beforeEach(async () => {
  ({ client, key } = await newAccount());
  first = await Dashboard.open();
  second = await first.openTab();
});
afterEach(async () => first.close());

/** Signs in with the first tab, and opens a page in both tabs. */
async function openBoth(path: string): Promise<void> {
  await first.signIn(key, path);
  await second.go(path);
  await second.page.locator('h1').wait();
}

describe('Two tabs', () => {
  it('sign out together: after a sign-out in one, the next action in the other opens the sign-in page', async () => {
    first.expectComplaint(/401/);
    await openBoth('/keys');
    await second.shows('This session');
    await first.page.bringToFront();
    await first.press('Sign out');
    await first.shows('Sign in to Trifold');
    await second.page.bringToFront();
    await second.press('Templates');
    await second.shows('Your session has ended');
    await second.expectAccessible();
  });

  it('save the same template without losing a change', async () => {
    first.expectComplaint(/412/);
    const { id } = await client.templates.create({ name: 'Offer', html: '<p>Offer</p>' });
    await openBoth(`/templates/${id}`);
    await first.page.bringToFront();
    await first.typeAtEnd('<p>From the first');
    await second.page.bringToFront();
    await second.typeAtEnd('<p>From the second');
    await first.page.bringToFront();
    await first.press('Save');
    await first.shows('Saved as version 2');
    await second.page.bringToFront();
    await second.press('Save');
    await second.shows('Someone else saved first');
    await second.shows('Changed in that version: HTML');
    await second.screenshots('editor-conflict');
    await second.press('Cancel');

    // The change is still there, even after a reload, and the user decides again.
    second.page.on('dialog', (dialog) => void dialog.accept());
    await second.page.reload();
    await second.shows('The editor restored your unsaved changes from');
    await second.shows('From the second');
    expect((await client.templates.get(id)).html).toContain('From the first');
    await second.press('Save');
    await second.shows('Someone else saved first');
    await second.press('Overwrite with mine');
    await second.shows('Saved as version 3');
    expect((await client.templates.get(id)).html).toContain('From the second');
    const { html } = await client.templates.versions.get(id, 2);
    expect(html).toContain('From the first');
  });

  it('show after a reload that a key was revoked in the other tab', async () => {
    await client.apiKeys.create({ name: 'Shared', scopes: ['usage:read'] });
    await openBoth('/keys');
    await second.shows('Shared');
    await first.page.bringToFront();
    await first.press('Revoke Shared');
    await first.page.locator('dialog .button_danger').click();
    await first.shows('"Shared" revoked');
    await second.page.bringToFront();
    await second.page.reload();
    await second.shows('This session');
    expect(await second.text()).not.toContain('Shared');
  });
});
