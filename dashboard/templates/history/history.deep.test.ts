import type { NewTemplate, Template } from '@trifold/client';
import { describe, expect, it } from 'vitest';
import { clientWithNewKey } from '../../../test/support/keys-command.ts';
import { client, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

const LOGO = `<img alt="" src="data:image/png;base64,${'A'.repeat(200)}">\n`;
const offer = (days: number) =>
  `${'<p>Dear customer</p>\n'.repeat(9)}${LOGO}<h1>Offer {{number}}</h1>\n<p>Valid for ${days} days.</p>\n`;
const FIRST: NewTemplate = { name: 'Offer', html: offer(10), css: 'h1 { color: navy }\n' };

/** Creates a template with three versions. */
async function threeVersions(): Promise<Template> {
  const { id } = await client.templates.create(FIRST);
  await client.templates.saveSamples(id, [{ name: 'Usual', data: { number: 'A-17' } }]);
  await client.templates.update(id, { html: offer(30) });
  return client.templates.update(id, { css: 'h1 { color: teal }\n', name: 'Best offer' });
}

const confirm = async () => dashboard.page.locator('dialog .button_primary').click();
/** Waits until one side of the diff contains the text. */
const sideShows = async (side: 'a' | 'b', text: string) =>
  dashboard.page.waitForFunction(
    `document.querySelector('.cm-merge-${side} .cm-content')?.textContent.includes('${text}')`,
  );

describe('The history of a template', () => {
  it('shows what a version changed and how it prints', async () => {
    const { id } = await threeVersions();
    await dashboard.signIn(service.liveKey, `/templates/${id}/history`);
    await dashboard.shows('History of Best offer');
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.screenshots('history');
    await dashboard.page.setViewport({ width: 390, height: 844 });
    const clipped = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.preview_toolbar'))`;
    expect(await dashboard.page.evaluate(clipped)).toBe(0);
    await dashboard.page.setViewport({ width: 1440, height: 900 });
    await dashboard.page.locator('.history-page_versions li:nth-child(2) a').click();
    await dashboard.press('Changes');
    // The previous version's diff is shown until this one is loaded.
    await sideShows('a', '10 days');
    await sideShows('b', '30 days');
    await dashboard.page.waitForSelector('.cm-merge-b .cm-changedText');
    for (const side of ['a', 'b']) await dashboard.page.waitForSelector(`.cm-merge-${side} .tok-typeName`);
    await dashboard.page.waitForSelector('.cm-merge-b .cm-folded-data');
    const sign = `getComputedStyle(document.querySelector('.cm-collapsedLines'), ':before').content`;
    expect(await dashboard.page.evaluate(sign)).toBe('"…"');
    await dashboard.expectAccessible('history-changes');
    await dashboard.press('Until saved version 3');
    await sideShows('b', 'teal');
    await dashboard.page.reload();
    await dashboard.page.waitForSelector('.history-page_versions li:nth-child(2) a[aria-current]');
  });

  it('restores, publishes and unpublishes a version, with confirmation each time', async () => {
    const { id } = await threeVersions();
    await dashboard.signIn(service.liveKey, `/templates/${id}/history?version=1`);
    await dashboard.press('Publish');
    await dashboard.shows('Publish version 1?');
    await confirm();
    await dashboard.shows('Documents use the published version 1. The saved version is 3.');
    expect(await client.templates.get(id)).toMatchObject({ published_version: 1, version: 3 });
    await dashboard.press('Stop pinning: always use the latest version');
    await dashboard.shows('Stop using the published version?');
    await confirm();
    await dashboard.shows('Documents use saved version 3.');
    expect(await client.templates.get(id)).not.toHaveProperty('published_version');
    await dashboard.press('Restore');
    await dashboard.shows('become version 4');
    await confirm();
    await dashboard.shows('Version 1 restored as version 4.');
    await dashboard.page.waitForSelector('.history-page_versions li:nth-child(4)');
    expect(await client.templates.get(id)).toMatchObject({ ...FIRST, version: 4 });
  });

  it('restores a version using only the keyboard', async () => {
    const { id } = await threeVersions();
    await dashboard.signIn(service.liveKey, `/templates/${id}/history`);
    const { keyboard } = dashboard.page;
    await dashboard.page.waitForSelector('.history-page_versions li:nth-child(3)');
    await dashboard.tabTo('Version 2');
    await keyboard.press('Enter');
    await dashboard.page.waitForSelector('.history-page_versions li:nth-child(2) a[aria-current]');
    await dashboard.tabTo('Restore');
    await keyboard.press('Enter');
    await dashboard.shows('Restore version 2?');
    await dashboard.tabTo('Restore');
    await keyboard.press('Enter');
    await dashboard.shows('Version 2 restored as version 4.');
  });

  it('shows a read-only key the pages and changes, but no actions', async () => {
    const { id } = await threeVersions();
    const { key } = await clientWithNewKey(service.url, service.kubeconfig, {
      account: service.account,
      scopes: ['templates:read'],
    });
    await dashboard.signIn(key, `/templates/${id}/history`);
    await dashboard.page.waitForSelector('.preview_page canvas');
    await dashboard.shows('Read-only');
    await dashboard.press('Changes');
    await dashboard.page.waitForSelector('.cm-merge-b .cm-changedText');
    const buttons = await dashboard.page.$$eval('main button', (all) => all.map((each) => each.innerText));
    expect(buttons).toEqual(['Export YAML']);
    expect(await dashboard.text()).not.toContain('Publish a version');
    await dashboard.go('/webhooks');
    await dashboard.shows('This requires the webhooks:read scope');
  });

  it('reports a missing template', async () => {
    dashboard.expectComplaint(/404/);
    await dashboard.signIn(service.liveKey, '/templates/none/history');
    await dashboard.shows('There is no template');
  });
});
