import { describe, it } from 'vitest';
import { client, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

const HTML = `<title>Invoice</title>
<h1>Invoice {{number}}</h1>
<p>Terms &amp; <b>Conditions</b> <i>{{formatDate issued "long"}}</i></p>
{{#each lines}}
  <table><tr><td>{{description}}</td><td>{{amount}} each</td></tr></table>
{{/each}}
<p style="break-before: page">Second page <b>for</b> {{lines.1.description}}</p>
`;

const DATA = {
  number: 'A-17',
  issued: '2031-05-04',
  lines: [
    { description: 'Paper', amount: 12 },
    { description: 'Ink', amount: 17 },
  ],
};

/** Opens the editor and waits for the text on the pages. */
async function edit(): Promise<void> {
  const { id } = await client.templates.create({
    name: 'Invoice',
    html: HTML,
    css: 'h1::after { content: " styled"; font-weight: 400 } p, td { text-transform: uppercase; padding: 0 2em }',
  });
  await client.templates.saveSamples(id, [{ name: 'One', data: DATA }]);
  await dashboard.signIn(service.liveKey, `/templates/${id}`);
  await pageText('CONDITIONS').wait();
}

const pageText = (text: string) => dashboard.page.locator(`.preview_pageText ::-p-text(${text})`);

/** Waits until this is selected in the HTML. */
const selects = async (text: string) =>
  dashboard.page.waitForFunction(
    `document.activeElement.matches('.cm-content') && getSelection().toString() === ${JSON.stringify(text)}`,
  );

/** Waits until these words on the pages are highlighted. */
const highlights = async (...texts: readonly string[]) =>
  dashboard.page.waitForFunction(
    `JSON.stringify(Array.from(CSS.highlights.get('source') ?? [], String)) === ${JSON.stringify(JSON.stringify(texts))}`,
  );

/** Presses the shortcut that goes to the other side. */
async function pressLinkKey(): Promise<void> {
  const { keyboard } = dashboard.page;
  for (const key of ['Control', 'Alt'] as const) await keyboard.down(key);
  await keyboard.press('KeyP');
  for (const key of ['Control', 'Alt'] as const) await keyboard.up(key);
}

describe('The link between the pages and the HTML', () => {
  it('goes to the clicked text or binding and highlights it', async () => {
    await edit();
    await pageText('INK').click();
    await selects('{{description}}');
    await highlights('PAPER', 'INK');
    await dashboard.screenshots('editor-source');
    await pageText('CONDITIONS').click();
    await selects('Conditions');
    await highlights('CONDITIONS');
    await dashboard.press('CSS');
    await pageText('2031').click();
    await selects('{{formatDate issued "long"}}');
    await pageText('styled').click();
    await dashboard.shows('This text is not in the HTML');
    await dashboard.expectAccessible('editor-source-note');
    await pageText('Invoice').click();
    await selects('Invoice');
    await dashboard.page.waitForFunction(`document.querySelector('.preview_note').innerText === ''`);
  });

  it('goes both ways using the keyboard, even to a page that is not visible', async () => {
    await edit();
    const { page } = dashboard;
    await page.focus('.cm-content');
    await dashboard.keys('Control', 'End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowLeft');
    await pressLinkKey();
    await highlights('INK');
    await page.waitForFunction(
      `document.querySelector('.preview_toolbar').innerText.includes('Page 2 of 2')`,
    );
    await page.focus('.preview_pages');
    await pressLinkKey();
    await selects('Second');
  });

  it('switches to the other tab on a narrow screen', async () => {
    await edit();
    await dashboard.page.setViewport({ width: 390, height: 844 });
    await dashboard.press('Show in pages');
    await pageText('Invoice').click();
    await selects('Invoice');
  });
});
