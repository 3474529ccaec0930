import type { TrifoldClient } from '@trifold/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { WebhookReceiver } from '../test/support/http/webhook-receiver.ts';
import { INPUTS, newAccount, service } from './testing/dashboard.ts';
import { dashboard } from './testing/each-test.ts';
import { dialogFiles, registeredPaths } from './testing/registered-paths.ts';

let client: TrifoldClient;
let key: string;
let receiver: WebhookReceiver;
let template: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  ({ client, key } = await newAccount());
  receiver = await WebhookReceiver.start({ authority: service.receivers! });
  receiver.answer = (_request, response) => void response.writeHead(503).end('no');
  const url = receiver.url('/hook', 'localhost');
  await client.webhooks.settings.set({ url });
  await client.webhooks.hooks.create({ url, source: 'make' });
  const email = { subject: 'Receipt {{number}}' };
  const html = '<h1>Receipt {{number}}</h1><b>{{formatDate due}}';
  ({ id: template } = await client.templates.create({ name: 'Receipt', description: 'Paid', html, email }));
  await client.templates.update(template, { css: 'h1 { colr: red }' });
  await client.templates.saveSamples(template, [{ name: 'Ada', data: { number: 17, due: '2026-11-28' } }]);
  await client.apiKeys.create({ name: 'Shop', type: 'test', scopes: ['documents:generate'] });
  const filename = 'receipt';
  const data = { number: 17, due: '2026-11-28' };
  const metadata = { order: 'A-17' };
  const document = await client.documents.generate({ template_id: template, data, filename, metadata });
  const items = [{ data, filename }, { data: {} }];
  const batch = await client.batches.create({ template_id: template, format: 'pdf', items, metadata });
  const delivery = await eventually(async () => {
    const { data: all } = await client.webhooks.deliveries.page();
    return all.find(({ attempts }) => attempts > 0) ?? false;
  });
  Object.assign(ids, { templates: template, emails: template, documents: document.id, batches: batch.id });
  ids['webhooks'] = delivery.id;
});
afterAll(async () => receiver.stop());

/** Opens a dialog defined in a source file. */
type Opening = readonly [file: string, open: () => Promise<unknown>];

const press =
  (...names: readonly string[]) =>
  async () =>
    dashboard.press(...names);
const pressCtrlK = async () => dashboard.keys('Control', 'k');
const go = async (path: string) => {
  await dashboard.go(path);
  await dashboard.page.locator('h1').wait();
  await dashboard.loaded();
  if (await dashboard.page.$('.preview_pane')) await dashboard.page.waitForSelector('.preview_page canvas');
};

/** The dialogs on each page. The page itself is tested first, without a dialog. */
const SCREENS: Readonly<Record<string, readonly Opening[]>> = {
  '': [['shell/page-palette.tsx', pressCtrlK]],
  '/templates': [['templates/list/templates-page.tsx', press('Delete Receipt')]],
  '/templates/new': [],
  '/templates/:id': [
    ['templates/editor/editor-palette.tsx', pressCtrlK],
    ['templates/editor/editor-palette.tsx', press('Insert')],
    ['templates/editor/api-call-dialog.tsx', press('API call')],
    ['templates/editor/editor-dialogs.tsx', press('Publish')],
    ['templates/editor/panels/samples-bar.tsx', press('Data', 'Save sample as')],
    ['templates/editor/panels/samples-bar.tsx', press('Delete sample')],
    [
      'templates/palette/shortcuts-dialog.tsx',
      async () => {
        await dashboard.page.focus('[role=tab][aria-selected=true]');
        await dashboard.page.keyboard.type('?');
      },
    ],
    ['templates/editor/editor-dialogs.tsx', press('Generate')],
    [
      'shell/unsaved-changes.tsx',
      async () => {
        await dashboard.press('HTML');
        await dashboard.typeAtEnd('<p>Mine');
        await dashboard.press('← Templates');
      },
    ],
    [
      'templates/editor/save-error.tsx',
      async () => {
        await client.templates.update(template, { name: 'Receipt', css: '' });
        await dashboard.keys('Control', 's');
        await dashboard.shows('See that version in a new tab');
      },
    ],
    [
      'templates/editor/editor-notices.tsx',
      async () => {
        dashboard.page.on('dialog', (dialog) => void dialog.accept());
        await dashboard.page.reload();
        await dashboard.press('Discard them');
      },
    ],
  ],
  '/templates/:id/history': [
    ['templates/history/version-detail.tsx', press('Publish')],
    [
      'templates/history/version-detail.tsx',
      async () => {
        await go(`/templates/${template}/history?version=1`);
        await dashboard.press('Restore');
      },
    ],
    [
      'templates/history/history-page.tsx',
      async () => {
        await client.templates.publish(template, 1);
        await go(`/templates/${template}/history`);
        await dashboard.press('Stop pinning: always use the latest version');
      },
    ],
  ],
  '/documents': [['documents/delete-button.tsx', async () => dashboard.press(`Delete ${ids['documents']}`)]],
  '/documents/:id': [],
  '/batches': [],
  '/batches/:id': [],
  '/emails': [],
  '/emails/:id': [],
  '/webhooks': [
    ['webhooks/webhook-card.tsx', press('Delete')],
    ['webhooks/webhook-card.tsx', press('Rotate the secret')],
    [
      'webhooks/hooks-section.tsx',
      async () => dashboard.use('mouse', `Delete ${receiver.url('/hook', 'localhost')}`),
    ],
    ['webhooks/endpoint-form.tsx', press('Add a hook')],
    [
      'webhooks/secret-dialog.tsx',
      async () => {
        await dashboard.press('Add a hook');
        await dashboard.fill('URL', receiver.url('/other', 'localhost'));
        await dashboard.page.locator('dialog button[type=submit]').click();
        await dashboard.shows('Copy the secret now');
      },
    ],
  ],
  '/webhooks/deliveries': [['webhooks/deliveries/retry-all-dialog.tsx', press('Retry all failed')]],
  '/webhooks/deliveries/:id': [],
  '/keys': [
    ['keys/keys-page.tsx', press('Revoke Shop')],
    ['keys/new-key-dialog.tsx', press('Create a key')],
    [
      'keys/new-key-dialog.tsx',
      async () => {
        await dashboard.press('Create a key');
        await dashboard.fill('Name', 'Till');
        await dashboard.page.locator('dialog button[type=submit]').click();
        await dashboard.shows('Copy the key now');
      },
    ],
  ],
  '/requests': [],
  '/usage': [],
};

/**
 * Follows the link to the parent page, which is named by its title, with each input method; navigation pages have no
 * such link.
 */
async function followBackLink(address: string): Promise<void> {
  const links = await dashboard.page.$$eval('main a', (all) => all.map((each) => each.innerText));
  const back = links.filter((link) => link.startsWith('← '));
  expect(back).toHaveLength(address.split('/').length > 2 ? 1 : 0);
  for (const by of back.length > 0 ? INPUTS : []) {
    await dashboard.use(by, ...back);
    await dashboard.page.locator(`h1::-p-text(${back[0]!.slice(2)})`).wait();
    await go(address);
  }
}

/** Dialogs that only their button closes. */
const CLOSES: Readonly<Record<string, string>> = {
  'Your new key': 'I stored the key',
  'The signing secret': 'I stored the secret',
};

async function closeDialog(): Promise<void> {
  await dashboard.page.locator('dialog[open]').wait();
  const title = await dashboard.page.$eval('dialog[open] h2', ({ textContent }) => textContent ?? '');
  const button = CLOSES[title];
  await (button === undefined ? dashboard.keys('Escape') : dashboard.press(button));
  await dashboard.page.waitForFunction(`!document.querySelector('dialog')`);
}

describe('Accessibility', () => {
  it('is tested on every page and in every dialog', async () => {
    expect(Object.keys(SCREENS).toSorted()).toEqual(await registeredPaths());
    const opened = Object.values(SCREENS).flatMap((dialogs) => dialogs.map(([file]) => file));
    expect(opened.toSorted()).toEqual(await dialogFiles());
  });

  it.each(Object.entries(SCREENS))(
    'has no violations at %s, which Ctrl+K can leave',
    { timeout: 400_000 },
    async (path, dialogs) => {
      // axe looks for its script in frames, which have an opaque origin. Another version was saved in the meantime.
      dashboard.expectComplaint(/'postMessage'.*origin \('null'\)|412/);
      await dashboard.signIn(key);
      const [, section = ''] = path.split('/');
      const address = path.replace(':id', ids[section] ?? '');
      await go(address);
      await dashboard.expectAccessible();
      await followBackLink(address);
      await pressCtrlK();
      await closeDialog();
      for (const [, open] of dialogs) {
        await open();
        await dashboard.page.locator('dialog[open]').wait();
        await dashboard.loaded();
        await dashboard.expectAccessible();
        await closeDialog();
      }
    },
  );

  it('has no violations at other addresses', async () => {
    await dashboard.signIn(key, '/nowhere');
    await dashboard.shows('Page not found');
    await dashboard.expectAccessible();
  });
});
