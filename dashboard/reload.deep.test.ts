import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/eventually.ts';
import { WebhookReceiver } from '../test/support/http/webhook-receiver.ts';
import { registeredPaths } from './testing/registered-paths.ts';
import { Dashboard, newAccount, service } from './testing/dashboard.ts';

let dashboard: Dashboard;
let receiver: WebhookReceiver;
/** IDs in URLs, by path. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  const { client, key } = await newAccount();
  receiver = await WebhookReceiver.start({ authority: service.receivers! });
  await client.webhooks.settings.set({ url: receiver.url('/', 'localhost') });
  const email = { subject: 'Receipt {{number}}' };
  const template = await client.templates.create({ name: 'Receipt', html: '<p>{{number}}</p>', email });
  await client.templates.create({ name: 'Letter', html: '<p>Letter</p>' });
  await client.templates.update(template.id, { css: 'p { color: red }' });
  const work = { template_id: template.id, format: 'html' } as const;
  const document = await client.documents.generate({ ...work, data: { number: 1 } });
  const batch = await client.batches.create({ ...work, items: [{ data: { number: 2 } }] });
  const delivery = await eventually(async () => {
    const { data } = await client.webhooks.deliveries.page();
    return data.find(({ status }) => status === 'delivered') ?? false;
  });
  Object.assign(ids, {
    '/templates/:id': template.id,
    '/templates/:id/history': template.id,
    '/documents/:id': document.id,
    '/batches/:id': batch.id,
    '/emails/:id': template.id,
    '/webhooks/deliveries/:id': delivery.id,
  });
  dashboard = await Dashboard.open();
  dashboard.page.on('dialog', (dialog) => void dialog.accept());
  await dashboard.signIn(key);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await dashboard.describe());
});
afterAll(async () => {
  await dashboard.close();
  await receiver.stop();
});

const waitFor = async (condition: string) => dashboard.page.waitForFunction(condition);

/** Fills a filter, and waits until it is in the URL. */
async function filter(name: string, value: string): Promise<void> {
  await dashboard.page.locator(`main [name=${name}]`).fill(value);
  await waitFor(`new URLSearchParams(location.search).get('${name}') === '${value}'`);
}

/** Steps halfway through each page's main task; each returns a string that the page shows before and after a reload. */
const TASKS: Readonly<Record<string, () => Promise<string>>> = {
  '': async () => {
    await dashboard.press('Python');
    return 'Requires Python 3';
  },
  '/templates': async () => {
    await filter('q', 'receip');
    return 'Receipt';
  },
  '/templates/new': async () => {
    await dashboard.page.locator('::-p-text(Certificate)').click();
    return 'Certificate';
  },
  '/templates/:id': async () => {
    await dashboard.page.locator('.cm-content').click();
    await dashboard.page.keyboard.type('Half of a sentence');
    await waitFor(`JSON.stringify(localStorage).includes('Half of a sentence')`);
    return 'Half of a sentence';
  },
  '/templates/:id/history': async () => {
    await dashboard.page.locator('a[href$="?version=1"]').click();
    await waitFor(`location.search === '?version=1'`);
    return 'Version 1';
  },
  '/documents': async () => {
    await filter('status', 'failed');
    return 'No documents match the filters';
  },
  '/documents/:id': async () => {
    await dashboard.press('Delete');
    return 'Completed';
  },
  '/batches': async () => {
    await filter('metadata', 'order=none');
    return 'No batches match the filters';
  },
  '/batches/:id': async () => '1 of 1',
  '/emails': async () => {
    await filter('q', 'nothing');
    return 'No template name contains this text';
  },
  '/emails/:id': async () => {
    await dashboard.fill('Data (JSON)', '{"number": 3}');
    await waitFor(`document.querySelector('main').innerText.includes('Receipt 3')`);
    return 'Compile';
  },
  '/webhooks': async () => {
    await dashboard.press('Change');
    await dashboard.fill('URL', 'https://example.com/half');
    return 'Account webhook';
  },
  '/webhooks/deliveries': async () => {
    await filter('event', 'batch.failed');
    return 'No deliveries match the filters';
  },
  '/webhooks/deliveries/:id': async () => 'Attempts',
  '/keys': async () => {
    await dashboard.press('Create a key');
    await dashboard.fill('Name', 'Half a name');
    return 'Acceptance tests';
  },
  '/requests': async () => {
    await filter('request_id', 'req-none');
    return 'No requests match the filters';
  },
  '/usage': async () => {
    await filter('range', 'last-12-months');
    return 'Documents';
  },
};

/** State that must survive a reload: the page, its URL and its filters. */
const KEPT = `[
  location.href,
  document.querySelector('h1').innerText,
  ...Array.from(document.querySelectorAll('main :is([role=search], [role=group]) :is(input, select)'),
    ({ name, value }) => name + '=' + value),
]`;

describe('A reload in the middle of a task', () => {
  it('is tested on every page', async () => {
    expect(Object.keys(TASKS).toSorted()).toEqual(await registeredPaths());
  });

  it.each(Object.entries(TASKS))('keeps the filters and the draft of /dashboard%s', async (path, begin) => {
    await dashboard.go(path.replace(':id', ids[path] ?? ''));
    await dashboard.page.locator('h1').wait();
    await dashboard.loaded();
    const shown = await begin();
    await dashboard.shows(shown);
    const kept = await dashboard.page.evaluate(KEPT);
    await dashboard.page.reload();
    await dashboard.shows(shown);
    await dashboard.loaded();
    expect(await dashboard.page.evaluate(KEPT)).toEqual(kept);
  });
});
