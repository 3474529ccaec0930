import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TEMPLATE, type Template } from '@trifold/crds';
import type { NewTemplate } from '@trifold/client';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { pngPixel } from '@trifold/renderer/testing/files/png.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { textOf } from '@trifold/test-support/files/pdf.ts';
import { temporaryDirectory } from '@trifold/test-support/service.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { client, INPUTS, service } from '../../testing/dashboard.ts';
import { dashboard } from '../../testing/each-test.ts';

/** Returns the ID of the template that the page created. */
async function createdId(): Promise<string> {
  await dashboard.page.waitForFunction(`!location.pathname.endsWith('/new')`);
  return new URL(dashboard.page.url()).pathname.split('/').at(-1) ?? '';
}

/** Selects a file to import. */
async function upload(path: string): Promise<void> {
  const input = await dashboard.page.waitForSelector('input[type=file]');
  await (input as unknown as { uploadFile: (path: string) => Promise<void> }).uploadFile(path);
}

/** Waits until all of an element is in the window. */
const inSight = async (...selectors: readonly string[]) =>
  dashboard.page.waitForFunction(`${JSON.stringify(selectors)}.every((selector) => {
    const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })`);

const previewed = async () =>
  dashboard.page.waitForSelector('.preview_pane[aria-busy=false] .preview_page canvas');

/** Presses "Export YAML" in a template's history. Returns the downloaded file. */
async function exported(id: string): Promise<string> {
  await dashboard.go(`/templates/${id}/history`);
  await dashboard.press('Export YAML');
  expect((await dashboard.downloaded(`${id}.yaml`)).toString()).toContain('kind: Template');
  return join(dashboard.downloads, `${id}.yaml`);
}

describe('The gallery for new templates', () => {
  it('previews each starter without errors and warnings', async () => {
    await dashboard.signIn(service.liveKey, '/templates/new');
    await dashboard.shows('A business letter with the address positioned for a window envelope.');
    const examples =
      'letter certificate label report accessible-report sepa-invoice swiss-bill e-invoice invoice';
    for (const starter of `blank ${examples}`.split(' ')) {
      // Another starter has a separate preview.
      await dashboard.page.$eval('.preview_pane', (pane) => pane.classList.add('before'));
      // Scrolls it out from under the bar, which is always in sight.
      await dashboard.page.$eval(`input[value=${starter}]`, (input) =>
        input.scrollIntoView({ block: 'center' }),
      );
      await dashboard.page.locator(`input[value=${starter}]`).click();
      await dashboard.page.waitForSelector('.preview_pane:not(.before)');
      await previewed();
      expect(await dashboard.page.$$('.problems_error, .problems_warning, .notice_notice'), starter).toEqual(
        [],
      );
      await dashboard.screenshots(`gallery-${starter}`);
    }
    await dashboard.expectAccessible();
  });

  it.each(INPUTS)('creates an invoice with a logo in at most 12 actions, using %s', async (by) => {
    const logo = join(await temporaryDirectory(), 'logo.png');
    await writeFile(logo, Buffer.from(pngPixel(), 'base64'));
    await dashboard.signIn();
    let actions = 0;
    const act = async (work: Promise<unknown>) => (actions += (await work, 1));
    const press = async (name: string) => {
      await act(dashboard.use(by, name));
      // Tab and Enter.
      if (by === 'keyboard') actions += 1;
    };
    await press('Create a template');
    await dashboard.page.waitForSelector('input[value=invoice]:checked');
    await dashboard.page.waitForFunction(
      `document.activeElement.name === 'name' && document.activeElement.selectionEnd === 'Invoice'.length`,
    );
    await inSight('button[type=submit]', '.preview_pane', 'input[value=html]');
    await press('Create template');
    const id = await createdId();
    await dashboard.page.waitForSelector('.cm-content');
    const [chooser] = await Promise.all([
      dashboard.page.waitForFileChooser(),
      press('Insert images or fonts'),
    ]);
    await chooser.accept([logo]);
    await dashboard.shows('data:image/png');
    await dashboard.screenshots('editor-image');
    if (by === 'mouse') await press('Generate');
    else {
      await act(dashboard.keys('Control', 'k'));
      await act(dashboard.page.keyboard.type('Generate'));
      await act(dashboard.page.keyboard.press('Enter'));
    }
    await dashboard.shows('The document is ready');
    await press('Download');
    const { data: documents } = await client.documents.page({ template_id: id });
    const file = await dashboard.downloaded(documents[0]?.filename ?? `${documents[0]?.id}.pdf`);
    expect(await textOf(file)).toMatch(/Tax 19%.*Total/);
    expect((await client.templates.get(id)).html).toContain(
      `<body><img src="data:image/png;base64,${pngPixel()}" alt="logo" width="1" height="1" style="object-fit: contain">`,
    );
    expect(actions).toBeLessThanOrEqual(12);
  });

  it('creates a template from pasted HTML and CSS with print options, which the preview and the drawing show', async () => {
    await dashboard.signIn(service.liveKey, '/templates/new');
    await dashboard.page.locator('input[value=html]').click();
    // One of the preview formats is also called HTML.
    await dashboard.page.locator('.cm-content').wait();
    await dashboard.fill('HTML', '<p>{{#if a}}one</p>');
    await dashboard.shows('1 error');
    const html = '<title>Delivery note {{number}}</title><p>one</p>';
    await dashboard.fill('HTML', html);
    await dashboard.page.waitForFunction(
      `document.querySelector('input[name=name]').value === 'Delivery note'`,
    );
    await inSight('.cm-content', '.preview_pane', 'button[type=submit]');
    await dashboard.fill('CSS', 'p { break-after: page }');
    await dashboard.page.locator('summary').click();
    await dashboard.press('Header on every page', 'Different first-page header');
    await dashboard.fill('HTML of the header on the first page', 'Letterhead');
    await dashboard.page.waitForFunction(`document.querySelectorAll('details svg').length === 2`);
    await dashboard.page.waitForFunction(
      `document.querySelector('.preview_pane').innerText.includes('Letterhead')`,
    );
    await dashboard.expectAccessible('gallery-html');
    await dashboard.press('Create template');
    const { default_options, ...created } = await client.templates.get(await createdId());
    expect(created).toMatchObject({
      name: 'Delivery note',
      html,
      css: 'p { break-after: page }',
      description: null,
    });
    expect(default_options).toEqual({
      page_size: 'a4',
      header: { enabled: true, first: { content: 'Letterhead' } },
    });
  });

  it('creates a schema and sample data for the bindings of pasted HTML', async () => {
    await dashboard.signIn(service.liveKey, '/templates/new');
    // Pasted HTML comes before the invoice.
    await dashboard.page.locator('input[value=invoice]:checked').wait();
    await dashboard.page.focus('input[value=invoice]');
    await dashboard.keys('ArrowUp');
    await dashboard.page.locator('.cm-content').wait();
    await dashboard.fill('HTML', '{{#each lines}}<p>{{name}} {{formatNumber price}}</p>{{/each}}');
    await dashboard.shows('Create the schema and sample data for its 2 bindings');
    await dashboard.page.waitForFunction(
      `document.querySelector('.preview_pane').innerText.includes('Name 12.5')`,
    );
    await dashboard.expectAccessible();
    await dashboard.press('Create template');
    const id = await createdId();
    expect((await client.templates.get(id)).schema?.fields).toMatchObject([{ name: 'lines', type: 'array' }]);
    expect(await client.templates.samples(id)).toMatchObject([{ data: { lines: [{ price: 12.5 }, {}] } }]);
  });

  it('imports what it exports', async () => {
    const template: NewTemplate = {
      name: 'yes',
      description: '<b>2026-11-21</b>',
      status: 'draft',
      html: '<!doctype html>\n<p>{{note}}</p>\n\t<p>1e3</p>  \n',
      css: 'p::before { content: "\\201C" }',
      schema: { fields: [{ name: 'note', type: 'string', default: 'no', pattern: '^\\w+$' }] },
      default_options: {
        page_size: 'a4',
        margins: '18mm',
        device_scale: 2,
        print_background: false,
        full_page: false,
        time_zone: 'Europe/Berlin',
        locale: 'no',
        footer: { enabled: true, content: '{{page}}', first: false, even: { content: 'yes' } },
      },
      email: { subject: 'On: {{note}}', text: 'null' },
    };
    const samples = [{ name: 'Usual', data: { note: 'off', 'a:b': ['~', 1] } }];
    const { id } = await client.templates.create(template);
    await client.templates.saveSamples(id, samples);
    await dashboard.signIn(service.liveKey, '/keys');
    const path = await exported(id);

    await dashboard.go('/templates/new');
    await upload(path);
    await dashboard.page.waitForSelector('input[value=imported]:checked');
    await previewed();
    await dashboard.press('Create template');
    const copy = await client.templates.get(await createdId());
    const side = '18mm';
    const margins = { top: side, right: side, bottom: side, left: side };
    expect(copy).toMatchObject({ ...template, default_options: { ...template.default_options, margins } });
    expect(await client.templates.samples(copy.id)).toEqual(samples);

    // kubectl apply of the same file: the API server accepts it, and /v1 shows the same template.
    const manifest = parse(await readFile(path, 'utf8'), { version: '1.1' }) as Template;
    const transport = new HttpTransport(loadKubeConfig({ kubeconfig: service.kubeconfig }));
    const templates = new KubernetesClient(transport).resource<Template>(TEMPLATE);
    const metadata = { ...manifest.metadata, name: `${id}-applied`, namespace: service.account };
    await templates.create({ ...manifest, metadata });
    transport.close();
    const { id: _id, created_at: _created, updated_at: _updated, version: _version, ...content } = copy;
    await eventually(async () => expect(await client.templates.get(metadata.name)).toMatchObject(content));
    expect(await client.templates.samples(metadata.name)).toEqual(samples);
  });

  it('explains what is wrong with a file', async () => {
    await dashboard.signIn(service.liveKey, '/templates/new');
    await upload(fileURLToPath(new URL('../../../package.json', import.meta.url)));
    await dashboard.shows('The file contains no Template manifest');
  });
});
