import type { NewTemplate, Template } from '@trifold/client';

import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { textOf } from '../../../test/support/files/pdf.ts';
import { client, INPUTS, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

/** Creates a template and opens its editor. */
async function edit(template: Partial<NewTemplate> = {}): Promise<Template> {
  const created = await client.templates.create({
    name: 'Invoice',
    html: '<h1>Invoice {{number}}</h1>\n{{#each lines}}\n  <p>{{description}}</p>\n{{/each}}\n',
    css: 'h1 { color: #36c }',
    schema: {
      fields: [
        { name: 'number', type: 'string', required: true, description: 'Printed on top' },
        {
          name: 'lines',
          type: 'array',
          items: { type: 'object', properties: { description: { type: 'string' } } },
        },
      ],
    },
    default_options: { page_size: 'a4' },
    ...template,
  });
  await dashboard.signIn(service.liveKey, `/templates/${created.id}`);
  await dashboard.shows('Version 1');
  return created;
}

/** Replaces the text of the visible editor. */
async function replaceAll(written: string): Promise<void> {
  await dashboard.typeAtEnd('');
  await dashboard.keys('Control', 'a');
  await dashboard.page.keyboard.type(written);
}

/** Accepts the selected completion. */
async function accept(label: string): Promise<void> {
  const selected = `document.querySelector('[role=option][aria-selected=true] .cm-completionLabel')?.textContent`;
  await waitFor(`${selected} === '${label}'`);
  // The editor does not accept a completion that has only just appeared.
  const shownAt = Number(await dashboard.page.evaluate('performance.now()'));
  await waitFor(`performance.now() - ${shownAt} > 100`);
  await dashboard.keys('Enter');
  // An object continues with its fields.
  await waitFor(`${selected} !== '${label}'`);
}

/** Data that this browser stores for accounts. */
async function kept(): Promise<string> {
  return String(
    await dashboard.page.evaluate(
      `Object.entries(localStorage).filter(([name]) => name.startsWith('trifold:')).join()`,
    ),
  );
}

async function waitFor(condition: string): Promise<void> {
  await dashboard.page.waitForFunction(condition);
}

describe('The template editor', () => {
  it('saves typed changes as a new version, using the keyboard', async () => {
    const { id } = await edit();
    await dashboard.typeAtEnd('<p>Thank you');
    await dashboard.shows('Unsaved changes');
    await dashboard.expectAccessible('editor');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 2', 'Version 2');
    expect(await client.templates.get(id)).toMatchObject({
      version: 2,
      html: expect.stringContaining('<p>Thank you</p>') as string,
      css: 'h1 { color: #36c }',
      default_options: { page_size: 'a4' },
    });
    expect(await kept()).not.toContain('Thank you');
  });

  it('lets keyboard users leave an editor, switch tabs and move the splitter', async () => {
    await edit();
    await dashboard.typeAtEnd('');
    await dashboard.keys('Control', 'f');
    await dashboard.page.locator('.cm-search').wait();
    await dashboard.expectAccessible('editor-find');
    await dashboard.keys('Escape');
    await dashboard.keys('Escape');
    await dashboard.keys('Shift', 'Tab');
    expect(await dashboard.page.evaluate('document.activeElement.closest(".cm-editor") === null')).toBe(true);
    await dashboard.page.focus('[role=tab][aria-selected=true]');
    await dashboard.keys('ArrowRight');
    await waitFor(`document.activeElement.innerText === 'CSS'`);
    await dashboard.page.focus('[role=separator]');
    await dashboard.keys('ArrowLeft');
    await waitFor(`document.querySelector('[role=separator]').ariaValueNow === '45'`);
    await dashboard.press('Collapse the navigation');
    await dashboard.expectAccessible('editor-collapsed');
    await dashboard.page.reload();
    await dashboard.press('Show the navigation');
    await dashboard.page.waitForSelector('nav', { visible: true });
  });

  it('marks errors in the template, the email, the data and the schema on their lines', async () => {
    await edit();
    await dashboard.typeAtEnd('<p>{{formatDat number}}');
    await waitFor(`document.querySelector('.cm-lintRange-error')?.innerText === '{{formatDat number}}'`);
    await dashboard.press('Email');
    await dashboard.page.locator('#part-email input[type=checkbox]').click();
    await dashboard.press('HTML', 'Save');
    await dashboard.shows('Nothing was saved. Enter a subject.', '1 error');
    await dashboard.press('Subject');
    await dashboard.page.keyboard.type('Invoice');
    await dashboard.press('Text alternative');
    await dashboard.page.keyboard.type('Thank you\nNow {{formatDat number}}');
    await waitFor(
      `document.querySelector('#part-email .cm-line:nth-child(2) .cm-lintRange-error')?.innerText === '{{formatDat number}}'`,
    );
    await dashboard.expectAccessible('editor-email-errors');
    await dashboard.press('Data');
    await replaceAll('{"number": 5');
    await waitFor(
      `document.querySelector('[role=tabpanel]:not([hidden]) .cm-lintRange-error')?.innerText === '5'`,
    );
    await dashboard.press('Schema');
    await replaceAll('{"fields": [{"name": "number", "type": "text"');
    await dashboard.shows('has errors');
    await waitFor(
      `document.querySelector('[role=tabpanel]:not([hidden]) .cm-lintRange-error')?.innerText === '"text"'`,
    );
    await dashboard.page.locator('#part-html-tab').click();
    await dashboard.expectAccessible('editor-errors');
  });

  it.each(INPUTS)('counts problems in a fixed bar and jumps to one from the drawer, using %s', async (by) => {
    await edit({ html: '<p>Total</p>\n<b>{{number}}</p>', css: 'p { colr: red }' });
    const bar = `document.querySelector('.problems_bar')`;
    const box = async () => dashboard.page.evaluate(`JSON.stringify(${bar}.getBoundingClientRect())`);
    await dashboard.shows('3 warnings');
    const before = await box();
    await dashboard.press('Options', 'Header on every page', 'HTML of the header');
    await dashboard.page.keyboard.type('Page\n{{formatDat number}}');
    await dashboard.shows('1 error · 3 warnings');
    expect(await box()).toBe(before);
    await dashboard.press('CSS');
    await dashboard.use(by, '1 error · 3 warnings');
    await waitFor(
      `Array.from(document.querySelectorAll('.problems_severity'), (each) => each.innerText).join() === 'Error,Warning,Warning,Warning'`,
    );
    await dashboard.expectAccessible('editor-problems');
    await dashboard.shows('Fix the template at line 2, column 1.');
    /** Goes to the problem with this text. */
    const goTo = async (text: string) => {
      const go = `.problems_go::-p-text(${text})`;
      if (by === 'mouse') return dashboard.page.locator(go).click();
      await dashboard.page.focus(go);
      return dashboard.keys('Enter');
    };
    await goTo('formatDat');
    await waitFor(
      `document.querySelector('#part-options .cm-line:nth-child(2) .cm-lintRange-error')?.innerText.includes('formatDat') && getSelection().toString() === '{{formatDat number}}'`,
    );
    await goTo('<b> is not closed');
    await waitFor(`getSelection().toString() === '<b>'`);
    await goTo('</p> has no open <p>');
    await waitFor(`getSelection().toString() === '</p>'`);
    await waitFor(
      `Array.from(document.querySelectorAll('#part-html .cm-lintRange'), (each) => each.innerText).join() === '<b>,</p>'`,
    );
  });

  it('resizes the problems drawer with the mouse and the keyboard, and lets keyboard users leave it', async () => {
    const { page } = dashboard;
    await edit({ html: '<b>{{number}}<i>', css: 'p { --a: x; widht: 1px; width: 3 px; height: {{h}}px }' });
    await dashboard.press('4 warnings');
    const height = `document.querySelector('.problems_drawer').offsetHeight`;
    await dashboard.keys('Tab');
    await dashboard.keys('ArrowUp');
    await waitFor(`${height} === 240`);
    const { x, y } = await (await page.locator('.splitter_horizontal').waitHandle()).clickablePoint();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 100);
    await page.mouse.up();
    await waitFor(`Math.abs(${height} - 340) < 10`);
    await dashboard.press('4 warnings', '4 warnings');
    for (const focused of [
      'separator',
      'Problems',
      '<b>',
      '<i>',
      'widht',
      'Change to width',
      '"3 px"',
      'none',
    ]) {
      await dashboard.keys('Tab');
      await waitFor(
        `(({ role, ariaLabel, innerText, localName }) => role ?? ariaLabel ?? (localName === 'button' ? innerText : 'none'))(document.activeElement).includes('${focused}')`,
      );
    }
    await page.focus('.problems_go');
    await dashboard.keys('Escape');
    await waitFor(`document.activeElement.matches('[aria-expanded=false]')`);
    await page.reload();
    await dashboard.press('4 warnings');
    await waitFor(`Math.abs(${height} - 340) < 10`);
  });

  it.each(INPUTS)('keeps the scroll positions of the window and the preview, using %s', async (by) => {
    await edit({ html: `<p>{{nummer}}</p>${'<h1 style="break-before: page">{{number}}</h1>'.repeat(9)}` });
    const { page } = dashboard;
    /** Waits until the fifth page begins at the top of the view, and the window cannot scroll. */
    const showsFifth = async () =>
      waitFor(`document.documentElement.scrollHeight <= innerHeight &&
        Math.abs(document.querySelector('.preview_pages').scrollTop -
          document.querySelector('.preview_page:nth-child(5)').offsetTop) < 10`);
    await dashboard.shows('Page 1 of 10');
    await dashboard.press('Fit page');
    await page.evaluate(`document.querySelector('.preview_pages').scrollTo(0,
      document.querySelector('.preview_page:nth-child(5)').offsetTop)`);
    await dashboard.use(by, '1 warning');
    await page.locator('.problems_drawer').wait();
    await showsFifth();
    await dashboard.press('Options');
    await dashboard.use(by, 'Header on every page');
    await page.locator('#part-options .cm-content').wait();
    await showsFifth();
    await page.locator('#part-html-tab').click();
    await dashboard.typeAtEnd('');
    await dashboard.use(by, 'Insert');
    await page.keyboard.type('page break');
    if (by === 'mouse') await page.locator('dialog [role=option]').click();
    else await dashboard.keys('Enter');
    await dashboard.shows('Page 5 of 11');
    await showsFifth();
    await page.setViewport({ width: 390, height: 844 });
    await dashboard.press('Preview');
    await dashboard.shows('Page 5 of 11');
    await page.locator('#side-edit-tab').click();
    await page.locator('#side-preview-tab').click();
    await dashboard.shows('Page 5 of 11');
  });

  it('reports content that does not fit on the page or in its box', async () => {
    await edit({ html: '<p style="width: 900px">1</p><pre style="height: 9px; overflow: clip">1\n2</pre>' });
    await dashboard.press('2 warnings');
    await dashboard.shows('p ends at 908 px', 'pre needs a height of');
  });

  it.each(INPUTS)('fixes problems with quick fixes, using %s', async (by) => {
    const { id } = await edit({ html: '<p>{{number}}</p>\n' });
    await dashboard.typeAtEnd('<ul>{{#each lines}}<li>{{lowercas qty}}');
    const written = (end: string) =>
      `document.activeElement.innerText?.endsWith('<ul>{{#each lines}}<li>{{lowercas qty}}</li>${end}</ul>')`;
    await dashboard.use(by, '1 error', 'Insert {{/each}}');
    await waitFor(written('{{/each}}'));
    await dashboard.keys('Control', 'z');
    await waitFor(written(''));
    await dashboard.use(by, 'Insert {{/each}}');
    await waitFor(written('{{/each}}'));
    await dashboard.page.keyboard.type('.');
    await waitFor(written('.{{/each}}'));
    await dashboard.use(by, 'Change to lowercase', 'Add to the schema', 'Add to the data');
    await dashboard.shows('No problems');
    await waitFor(`document.activeElement.matches('.problems_drawer')`);
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 2');
    const { html, schema } = await client.templates.get(id);
    expect(html).toContain('<ul>{{#each lines}}<li>{{lowercase qty}}</li>.{{/each}}</ul>');
    expect(schema?.fields[1]?.items?.properties).toHaveProperty('qty', { type: 'string' });
    expect((await client.templates.samples(id))[0]?.data).toMatchObject({ lines: [{ qty: 'Qty' }, {}] });
  });

  it('shows accessibility problems on their lines while the user types', async () => {
    const properties = { language: 'en', title: 'Report' };
    await edit({ html: '<h1>Report</h1>\n', default_options: { conformance: 'ua-1', properties } });
    await dashboard.typeAtEnd(
      '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">',
    );
    await dashboard.keys('Enter');
    await dashboard.page.keyboard.type('<h3>Costs');
    await dashboard.press('2 errors');
    await dashboard.shows(
      'an image has no alternative text: img (ISO 14289-1, 7.3)',
      'a heading of level 3 follows one of level 1: h3 (ISO 14289-1, 7.4.2)',
    );
    await waitFor(
      `Array.from(document.querySelectorAll('.problems_go'), (each) => each.innerText.match(/line \\d+/)?.[0]).join() === 'line 2,line 3'`,
    );
    await waitFor(`document.querySelector('.cm-lintRange-error')?.innerText.startsWith('<img src=')`);
  });

  it('groups the errors in a list next to the page and indicates if the page is older than the text', async () => {
    const price = { type: 'number' } as const;
    await edit({
      html: '{{#each lines}}{{price}}{{/each}}',
      schema: {
        fields: [{ name: 'lines', type: 'array', items: { type: 'object', properties: { price } } }],
      },
    });
    await dashboard.press('Data');
    await replaceAll('{"lines": [{"price": "Seven"}, {"price": "Eight"}]');
    await dashboard.press('1 error');
    await dashboard.shows('lines[*].price', '2 ×');
    await waitFor(`document.querySelector('.preview_pageText')?.textContent.includes('SevenEight')`);
    expect(await dashboard.text()).not.toContain('Last preview');
    await replaceAll('{"lines": ');
    await dashboard.shows('Last preview', 'This is not valid JSON');
    await dashboard.press('HTML');
    await replaceAll(' ');
    await dashboard.keys('Backspace');
    await dashboard.shows('Last preview', 'Enter the HTML');
    // Without a page, there is no last preview.
    const tab = await dashboard.openTab();
    await tab.page.goto(dashboard.page.url());
    await tab.shows('The preview appears here', '2 errors');
    expect(await tab.text()).not.toContain('Last preview');
  });

  it('inserts snippets and helpers at the cursor, explains helpers, and offers commands and shortcuts', async () => {
    const { id } = await edit({ html: '<p>{{formatDate due}}</p>\n' });
    await dashboard.typeAtEnd('');
    await dashboard.press('Insert');
    await dashboard.screenshots('editor-insert');
    await dashboard.page.keyboard.type('table sums');
    await dashboard.keys('Enter');
    await waitFor(`document.activeElement.innerText.includes('{{#each lines}}')`);
    await dashboard.typeAtEnd('');
    await dashboard.press('Insert');
    await dashboard.page.keyboard.type('page break');
    await dashboard.keys('Enter');
    await waitFor(`document.activeElement.innerText.includes('break-before')`);
    await dashboard.page.keyboard.type('After');
    await waitFor(
      `document.activeElement.innerText.endsWith('<div style="break-before: page"></div>\\nAfter')`,
    );
    await dashboard.press('1 error · 4 warnings', 'Add the missing data');
    await dashboard.shows('No problems');
    await dashboard.keys('Control', 'k');
    await dashboard.shows('Go to CSS');
    await dashboard.screenshots('editor-commands');
    await dashboard.page.keyboard.type('insert');
    await dashboard.keys('Enter');
    await dashboard.page.locator('input[placeholder="Search helpers and snippets"]').fill('page numbers');
    await dashboard.keys('Enter');
    await waitFor(`getSelection().toString().includes('Page {{page}} of {{pages}}')`);
    await dashboard.page.locator('#part-html-tab').click();
    await dashboard.page.locator('.cm-line ::-p-text(formatDate)').hover();
    await dashboard.shows('formatDate date [style] time= locale= timeZone=');
    await dashboard.screenshots('editor-hover');
    await dashboard.page.focus('[role=tab][aria-selected=true]');
    await dashboard.page.keyboard.type('?');
    await dashboard.shows('Next problem in the text');
    await dashboard.keys('Escape');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 2');
    const { html, default_options } = await client.templates.get(id);
    expect(html).toContain('formatCurrency (sum lines "total") "EUR"');
    expect(default_options).toMatchObject({ footer: { enabled: true } });
  });

  it('shows a returning user that another user has saved, and loads that version', async () => {
    const { id } = await edit();
    await dashboard.typeAtEnd('<p>Mine');
    await client.templates.update(id, { html: '<p>Theirs</p>' });
    await dashboard.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await dashboard.shows('Someone else saved version 2');
    await dashboard.expectAccessible('editor-newer');
    await dashboard.press('Discard mine and load it');
    await waitFor(`document.querySelector('.cm-content').innerText.trim() === '<p>Theirs</p>'`);
    await dashboard.shows('Version 2');
  });

  it('completes schema bindings and helpers where they apply', async () => {
    await edit();
    await dashboard.page.locator('.cm-content').click();
    await dashboard.keys('Control', 'Home');
    await dashboard.page.keyboard.type('{{#each lines}}{{d');
    await dashboard.shows('description', 'divide');
    await dashboard.screenshots('editor-completion');
    await accept('description');
    await waitFor(
      `document.querySelector('.cm-line').innerText === '{{#each lines}}{{description}}<h1>Invoice {{number}}</h1>'`,
    );
    await dashboard.page.keyboard.press('End');
  });

  it('continues an object with its fields and writes a loop for a list', async () => {
    const fields = { order: { lines: [{ price: 1 }], customer: { name: 'Ada' } } };
    await edit({ html: '\n', schema: null });
    await dashboard.press('Data');
    await replaceAll(JSON.stringify(fields));
    await dashboard.press('HTML');
    await dashboard.typeAtEnd('{{ord');
    await accept('order');
    await accept('customer');
    await accept('name');
    const line = (written: string) =>
      waitFor(`document.querySelector('.cm-content').innerText.trim() === ${JSON.stringify(written)}`);
    await line('{{order.customer.name}}');
    await dashboard.keys('End');
    await dashboard.page.keyboard.type('{{order.li');
    await accept('lines');
    await line('{{order.customer.name}}{{#each order.lines}}\n  \n{{/each}}');
    await dashboard.page.keyboard.type('{{pr');
    await dashboard.page.locator('[role=option] ::-p-text(price)').click();
    await line('{{order.customer.name}}{{#each order.lines}}\n  {{price}}\n{{/each}}');
  });

  it('completes bindings and helpers in emails, headers and footers', async () => {
    const { id } = await edit();
    const { keyboard } = dashboard.page;
    await dashboard.press('Email');
    await dashboard.page.locator('#part-email input[type=checkbox]').click();
    await dashboard.press('Subject');
    await keyboard.type('{{num');
    await accept('number');
    await dashboard.keys('End');
    await dashboard.keys('Enter');
    await keyboard.type(' {{#ea');
    await accept('each');
    await keyboard.type('lines');
    await dashboard.keys('Tab');
    await keyboard.type('{{desc');
    await accept('description');
    await dashboard.page.waitForSelector('#part-email .cm-binding-block');
    await dashboard.expectAccessible();
    await dashboard.press('Preview text');
    await keyboard.type('Nr. {{formatN');
    await accept('formatNumber');
    await keyboard.type(' 5');
    await dashboard.keys('End');
    await dashboard.keys('Tab');
    await keyboard.type('Two\nlines');
    await dashboard.screenshots('editor-email');
    await dashboard.press('Options', 'Footer on every page', 'HTML of the footer');
    await keyboard.type('<b>{{pages');
    await accept('pages');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 2');
    expect(await client.templates.get(id)).toMatchObject({
      email: {
        subject: '{{number}} {{#each lines}}{{description}}{{/each}}',
        preheader: 'Nr. {{formatNumber 5}}',
        text: 'Two\nlines',
      },
      default_options: { footer: { content: '<b>{{pages}}</b>' } },
    });
  });

  it('restores unsaved changes after a reload, asks before discarding them, and forgets them on sign-out', async () => {
    const { id } = await edit();
    await dashboard.typeAtEnd('<p>Not saved');
    await waitFor(`JSON.stringify(localStorage).includes('Not saved')`);
    dashboard.page.on('dialog', (dialog) => void dialog.accept());
    await dashboard.page.reload();
    await dashboard.shows('The editor restored your unsaved changes from a moment ago', 'Not saved');
    await dashboard.expectAccessible('editor-restored');
    await dashboard.press('Templates');
    await dashboard.shows('Leave without saving?');
    await dashboard.press('Stay', 'Discard them');
    await dashboard.shows('The editor shows version 1 again');
    await dashboard.page.locator('dialog .button_danger').click();
    await waitFor(`!document.querySelector('.cm-content').innerText.includes('Not saved')`);

    await dashboard.typeAtEnd('<p>Left behind');
    await dashboard.press('Sign out');
    await dashboard.shows('Leave without saving?');
    await dashboard.press('Leave');
    await dashboard.shows('Sign in to Trifold');
    expect(await kept()).toBe('');
    expect((await client.templates.get(id)).version).toBe(1);
  });

  it('asks before the browser leaves a page with unsaved changes, and keeps them', async () => {
    const { page } = dashboard;
    const { id, name } = await client.templates.create({ name: `Offer ${Date.now()}`, html: '<p>Offer</p>' });
    await dashboard.signIn(service.liveKey, '/templates');
    await page.locator(`tbody ::-p-text(${name})`).click();
    await dashboard.shows('Version 1');
    const path = async () => page.evaluate('location.pathname');
    const editor = await path();
    await dashboard.typeAtEnd('<p>Back');
    await page.evaluate('history.back()');
    await dashboard.shows('Leave without saving?');
    expect(await path()).toBe(editor);
    await dashboard.press('Stay');
    await dashboard.typeAtEnd('<p>Forward');
    await page.evaluate('history.back()');
    await dashboard.press('Leave');
    await dashboard.shows('New template');
    expect(await path()).toBe('/dashboard/templates');
    await page.evaluate('history.forward()');
    await dashboard.shows('The editor restored your unsaved changes from', 'Forward');

    await dashboard.typeAtEnd('<p>Closed');
    const closed = Promise.withResolvers<void>();
    page.on('close', () => closed.resolve());
    const asked = Promise.withResolvers<string>();
    page.on('dialog', (dialog) => {
      asked.resolve(dialog.type());
      void dialog.accept();
    });
    const other = await page.browserContext().newPage();
    await page.close({ runBeforeUnload: true });
    expect(await asked.promise).toBe('beforeunload');
    await closed.promise;
    await dashboard.watch(other);
    await other.goto(`${dashboard.url}${String(editor)}`);
    await other.locator('::-p-text(Closed)').wait();
    expect((await client.templates.get(id)).version).toBe(1);
  });

  it('generates sample data from the schema and keeps it under a name', async () => {
    const { id } = await edit();
    await dashboard.press('Data');
    await replaceAll('5');
    await dashboard.press('Fill from the schema');
    await waitFor(`document.querySelectorAll('.cm-content')[1].innerText.includes('Description')`);
    await dashboard.press('Save sample as');
    await dashboard.fill('Name of the sample', 'Two lines');
    await dashboard.keys('Enter');
    await dashboard.shows('Sample "Two lines" saved');
    await dashboard.expectAccessible('editor-data');
    expect(await client.templates.samples(id)).toMatchObject([
      { name: 'Two lines', data: { number: 'Number', lines: [{ description: 'Description' }, {}] } },
    ]);
  });

  it('creates a schema and data from the bindings in one click, and renames and updates a sample', async () => {
    const { id } = await edit({
      schema: null,
      html: '{{#each lines}}<p>{{text}}: {{formatNumber price}}</p>{{/each}}',
    });
    await dashboard.press('Data from the template');
    await waitFor(`document.querySelector('.preview_pageText')?.textContent.includes('Text: 12.5')`);
    await dashboard.page.locator('#part-data-tab').click();
    await dashboard.press('Save');
    await dashboard.shows('Saved as version 2');
    await dashboard.press('Rename sample');
    await dashboard.fill('Name of the sample', 'Two lines');
    await dashboard.keys('Enter');
    await dashboard.shows('The sample is now "Two lines"');
    await replaceAll('{"lines": [], "currency": "EUR"');
    await dashboard.page.locator('#part-schema-tab').click();
    await dashboard.press('Schema from the data');
    await dashboard.expectAccessible('editor-schema');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 3');
    const { schema } = await client.templates.get(id);
    expect(schema?.fields).toMatchObject([
      { name: 'lines', type: 'array' },
      { name: 'currency', type: 'string' },
    ]);
    expect(await client.templates.samples(id)).toEqual([
      { name: 'Two lines', data: { lines: [], currency: 'EUR' } },
    ]);
  });

  it('saves first, then publishes, generates an unmarked document and shows the API call', async () => {
    const { id } = await edit({ html: '<h1>Offer {{number}}</h1>\n' });
    await dashboard.typeAtEnd('<p>First');
    await dashboard.press('Publish');
    await dashboard.shows('Save and publish?');
    await dashboard.press('Save and publish');
    await dashboard.shows('Version 2 is published');
    await dashboard.typeAtEnd('<p>Second');
    await dashboard.press('Generate');
    await dashboard.shows('The document is ready');
    await dashboard.screenshots('editor-generated');
    await dashboard.press('Download');
    expect(await client.templates.get(id)).toMatchObject({ version: 3, published_version: 2 });
    const { data: documents } = await client.documents.page({ template_id: id });
    expect(documents).toMatchObject([{ status: 'completed', template_id: id }]);
    const file = await dashboard.downloaded(documents[0]?.filename ?? `${documents[0]?.id}.pdf`);
    expect(await textOf(file)).toBe('Offer Number First Second');
    await dashboard.press('Open document');
    await dashboard.shows('Render time');
    await dashboard.go(`/templates/${id}`);
    await dashboard.press('API call');
    const code = `Array.from(document.querySelectorAll('dialog pre'), (each) => each.innerText).join()`;
    await dashboard.shows('This code generates a document from version 2, the published version');
    await waitFor(`${code}.includes('"template_id": "${id}"') && !${code}.includes('"version"')`);
    await dashboard.fill('Version', '3');
    await dashboard.shows('This code generates a document from version 3, the saved version');
    await waitFor(`${code}.includes('"version": 3')`);
    await dashboard.screenshots('editor-call');
    await dashboard.keys('Escape');
    await dashboard.use('keyboard', 'API call');
    // The version has the focus.
    await dashboard.keys('ArrowDown');
    await dashboard.keys('ArrowDown');
    await dashboard.shows('This code generates a document from version 3, the saved version');
  });

  it('saves changed sample data with the template, or alone without a new version', async () => {
    const { id } = await edit();
    await client.templates.saveSamples(id, [{ name: 'Ada', data: { number: '1' } }]);
    await dashboard.go(`/templates/${id}`);
    await dashboard.press('Data');
    await replaceAll('{"number": "2"');
    await dashboard.shows('Unsaved changes');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Sample data saved');
    expect(await client.templates.samples(id)).toEqual([{ name: 'Ada', data: { number: '2' } }]);
    await replaceAll('{"number": ');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Data is not valid JSON, so nothing was saved');
    await replaceAll('{"number": "3"');
    await dashboard.press('HTML');
    await dashboard.typeAtEnd('<p>Thank you');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 2');
    expect(await client.templates.samples(id)).toEqual([{ name: 'Ada', data: { number: '3' } }]);
    expect(await kept()).not.toContain('"3"');

    dashboard.expectComplaint(/400/);
    const dataOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    const ada = { name: 'Ada', data: { number: '3' } };
    const others = [2 ** 20, 2 ** 20 - JSON.stringify(ada.data).length].map(dataOf);
    const full = [ada, ...others.map((data, index) => ({ name: `Large ${index}`, data }))];
    await client.templates.saveSamples(id, full);
    await dashboard.go(`/templates/${id}`);
    await dashboard.press('Data');
    await dashboard.shows('14 bytes of 1 MB');
    await replaceAll('{"number": "33"');
    await dashboard.press('HTML');
    await dashboard.typeAtEnd('<p>Goodbye');
    await dashboard.keys('Control', 's');
    await dashboard.shows('Saved as version 3');
    await dashboard.shows('The samples total 2097153 bytes of JSON; the limit is 2097152.');
    expect(await client.templates.samples(id)).toEqual(full);
    // The editor itself inserts text that is typed into a long line.
    await dashboard.page.locator('#part-data-tab').click();
    await dashboard.page.select('select[aria-label=Sample]', 'Large 0');
    await dashboard.page.locator('#part-data .cm-content').click();
    await dashboard.keys('Control', 'Home');
    for (const key of ['ArrowDown', 'End', 'ArrowLeft', 'y'] as const) await dashboard.keys(key);
    await waitFor(`document.querySelector('#part-data .cm-content').textContent.includes('y "xxx')`);
  });

  it('writes the options in the form as JSON', async () => {
    const { id } = await edit();
    await dashboard.press('Options');
    await dashboard.page.locator('::-p-aria([name="Orientation"])').fill('landscape');
    await dashboard.fill('Left', '2cm');
    await dashboard.shows('Enter a number with a unit', '1 error');
    await dashboard.fill('Left', '20mm');
    await dashboard.press('Footer on every page');
    await dashboard.fill('HTML of the footer', 'Page {{page}}');
    await dashboard.press('Different last-page footer', 'Different first-page footer');
    await dashboard.fill('HTML of the footer on the first page', 'Imprint');
    await dashboard.fill('Footer height on the first page', '30mm');
    // Footers on the first page and the middle pages. The last page has none.
    await waitFor(
      `Array.from(document.querySelectorAll('#part-options svg'), (page) =>
        page.querySelector('.page-drawing_edge')?.getAttribute('height')).join() === '30,12.7,'`,
    );
    await dashboard.fill('Image quality', '80');
    await dashboard.fill('Locale', 'de-DE');
    await dashboard.fill('Document title', 'Invoice {{number}}');
    await dashboard.fill('Keywords', 'invoice\n{{number}}');
    await dashboard.expectAccessible('editor-options');
    await dashboard.press('JSON');
    await dashboard.expectAccessible('editor-options-json');
    await dashboard.press('Save');
    await dashboard.shows('Saved as version 2');
    expect((await client.templates.get(id)).default_options).toEqual({
      page_size: 'a4',
      orientation: 'landscape',
      margins: { left: '20mm' },
      footer: {
        enabled: true,
        content: 'Page {{page}}',
        last: false,
        first: { content: 'Imprint', height: '30mm' },
      },
      quality: 80,
      locale: 'de-DE',
      properties: { title: 'Invoice {{number}}', keywords: ['invoice', '{{number}}'] },
    });
    await dashboard.press('Settings');
    await dashboard.expectAccessible('editor-settings');
  });

  it('keeps unsaved changes when the session ends, for the next sign-in', async () => {
    dashboard.expectComplaint(/401/);
    const template = await client.templates.create({ name: 'Offer', html: '<p>Offer</p>' });
    const other = await client.apiKeys.create({
      name: 'Revoked',
      scopes: ['templates:read', 'templates:write'],
    });
    await dashboard.signIn(other.key, `/templates/${template.id}`);
    await dashboard.shows('Version 1');
    await dashboard.typeAtEnd('<p>Still here');
    await waitFor(`JSON.stringify(localStorage).includes('Still here')`);
    await client.apiKeys.revoke(other.id);
    const headers = { authorization: `Bearer ${other.key}` };
    await eventually(async () => (await fetch(`${service.url}/v1/templates`, { headers })).status === 401);
    await dashboard.page.keyboard.type('!');
    await dashboard.shows('Your session has ended');
    await dashboard.page.locator('input[name=key]').fill(service.liveKey);
    await dashboard.press('Sign in');
    await dashboard.shows('The editor restored your unsaved changes from', 'Still here');
  });

  it('changes nothing without the scope, and reports a missing template', async () => {
    dashboard.expectComplaint(/404/);
    const { id } = await client.templates.create({ name: 'Offer', html: '<p>Offer</p>' });
    const reader = await client.apiKeys.create({ name: 'Reader', scopes: ['templates:read'] });
    await dashboard.signIn(reader.key, `/templates/${id}`);
    await dashboard.shows('Version 1');
    await dashboard.typeAtEnd('more');
    await dashboard.expectAccessible();
    await dashboard.page.waitForSelector('.preview_page canvas');
    const text = await dashboard.text();
    expect(['more', 'Save', 'Read-only'].map((each) => text.includes(each))).toEqual([false, false, true]);
    await dashboard.press('Data');
    await dashboard.shows('Sample data for the preview.');
    expect(await dashboard.text()).not.toContain('Save');
    await dashboard.go('/templates/new');
    await dashboard.shows('This requires the templates:write scope');
    await dashboard.go('/templates/none');
    await dashboard.shows('Try again');
  });
});
