import type { HTTPRequest } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { client, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

/** 250,000 boxes in columns: Chromium keeps computing the layout until the preview's 30 s limit. */
const ENDLESS =
  '<table style="columns: 3">{{#each a}}{{#each @root.a}}{{#each @root.a}}<tr>{{#each @root.a}}<td>' +
  '{{#each @root.a}}<div style="float: left; width: 1%">x</div>{{/each}}' +
  '</td>{{/each}}</tr>{{/each}}{{/each}}{{/each}}</table>';
const ENDLESS_DATA = { a: Array.from({ length: 12 }, (_, index) => index) };
const GOOD = '<p>one</p><p style="break-before: page">two</p>';
const SOONER_THAN_THE_LIMIT_MS = 25_000;
/** Time in which another editor gets previews alongside the endless one. */
const OTHER_EDITORS_MS = 5_000;

it('A template that never ends does not block the preview of the next keystroke', async () => {
  const { page } = dashboard;
  const { id } = await client.templates.create({ name: 'Endless', html: '<p>first</p>' });
  await client.templates.saveSamples(id, [{ name: 'Loops', data: ENDLESS_DATA }]);
  await dashboard.signIn(service.liveKey, `/templates/${id}`);
  await dashboard.shows('Page 1 of 1');
  const replaceText = async (text: string) => {
    await page.locator('.cm-content').click();
    await dashboard.keys('Control', 'a');
    await page.keyboard.sendCharacter(text);
  };

  const previews: string[] = [];
  // The editor also requests the HTML, to map text to its source.
  const isPreview = (request: HTTPRequest) =>
    request.url().endsWith('/v1/templates/preview') && !request.postData()?.includes('"format":"html"');
  page.on('requestfailed', (request) => void (isPreview(request) && previews.push('cancelled')));
  page.on('requestfinished', (request) => void (isPreview(request) && previews.push('answered')));
  await Promise.all([page.waitForRequest(isPreview), replaceText(ENDLESS)]);
  // By the end, it has been merged and is in a browser: these previews go through the same processes.
  const startedAt = performance.now();
  while (performance.now() - startedAt < OTHER_EDITORS_MS) {
    await client.templates.preview({ html: '<p>Another editor</p>', data: {} });
  }
  expect(previews).toEqual([]);
  await replaceText(GOOD);
  await page.locator('::-p-text(Page 1 of 2)').setTimeout(SOONER_THAN_THE_LIMIT_MS).wait();
  // The browser reports the end of a request after a delay.
  await eventually(() => expect(previews).toEqual(['cancelled', 'answered']));
});
