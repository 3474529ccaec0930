import { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePorts } from '../test/support/processes/free-ports.ts';
import { inventKeys, removeDirectory, ServiceProcess, temporaryDirectory } from '../test/support/service.ts';
import { Dashboard } from './testing/dashboard.ts';

const AWAY = 'The service does not respond';
/** Open pages retry with increasing pauses. */
const PATIENCE_MS = 60_000;

const keys = inventKeys();
let data: string;
let port: string;
let service: ServiceProcess;
let dashboard: Dashboard;
let client: TrifoldClient;
beforeEach(async () => {
  data = await temporaryDirectory();
  port = String((await freePorts(1))[0]);
  await start();
  client = new TrifoldClient({ baseUrl: service.url, apiKey: keys.live });
  dashboard = await Dashboard.open(service.url);
  dashboard.expectComplaint(/^failed: |net::ERR_|status of 503|Couldn't load preload assets/);
});
afterEach(async () => {
  await dashboard.close();
  await service.stop();
  await removeDirectory(data);
});

/** Restarts the service on the same port and data. */
async function start(): Promise<void> {
  service = new ServiceProcess({
    data,
    keys,
    environment: { TRIFOLD_PORT: port, TRIFOLD_LOG_LEVEL: 'warn' },
  });
  await service.ready();
}

const isGone = async ({ page }: Dashboard, message: string) =>
  page.waitForFunction(`!document.body.innerText.includes('${message}')`, { timeout: PATIENCE_MS });

/** Waits until the editor's preview contains the text. */
const previews = async ({ page }: Dashboard, text: string) =>
  page.waitForFunction(`document.querySelector('.preview_pageText')?.textContent.includes('${text}')`, {
    timeout: PATIENCE_MS,
  });

describe('A restart of the service', () => {
  it('is shown on open pages, which then continue in the same session', async () => {
    const { id } = await client.templates.create({ name: 'Letter', html: '<p>Letter</p>' });
    await dashboard.signIn(keys.live, '/documents');
    await dashboard.shows('No documents in the last 24 hours');
    const form = await dashboard.openTab();
    await form.go('/keys');
    await form.press('Create a key');
    await form.fill('Name', 'After the restart');
    const next = await dashboard.openTab();
    await next.go('/templates');
    await next.shows('Letter');
    const editor = await dashboard.openTab();
    await editor.go(`/templates/${id}`);
    await previews(editor, 'Letter');
    await service.stop();

    await dashboard.page.bringToFront();
    await dashboard.shows(AWAY);
    await dashboard.expectAccessible();
    await form.page.bringToFront();
    await form.page.locator('dialog [type=submit]').click();
    await form.shows(AWAY);
    await editor.page.bringToFront();
    await editor.page.locator('.cm-content').fill('<p>Written meanwhile</p>');
    await editor.shows(AWAY);
    // This page's code is not loaded yet.
    await next.page.bringToFront();
    await next.press('Usage and billing');
    await next.shows('This page cannot be shown');
    await next.expectAccessible();

    await start();
    await next.page
      .locator('::-p-text(No documents were generated in this period)')
      .setTimeout(PATIENCE_MS)
      .wait();
    await editor.page.bringToFront();
    await previews(editor, 'Written meanwhile');
    await isGone(editor, AWAY);
    await form.page.bringToFront();
    await form.page.locator('dialog [type=submit]').click();
    await form.shows('Copy the key now');
    await dashboard.page.bringToFront();
    await isGone(dashboard, AWAY);
    const document = await client.documents.generate({ template_id: id, format: 'html', data: {} });
    await dashboard.page.locator(`a[title="${document.id}"]`).setTimeout(PATIENCE_MS).wait();
    expect(await dashboard.text()).not.toContain('Sign in');
  }, 300_000);
});
