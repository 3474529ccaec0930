import { GENERATION_JOB, newId } from '@trifold/crds';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../test/support/api.ts';
import { eventually } from '../test/support/eventually.ts';
import { WebhookReceiver } from '../test/support/http/webhook-receiver.ts';
import { HOSTILE, MARK, storeCode, type StoredCode } from './testing/hostile.ts';
import { registeredPaths } from './testing/registered-paths.ts';
import { newAccount, service } from './testing/dashboard.ts';
import { dashboard } from './testing/each-test.ts';

/** Lists that show the name of every entry. */
const LISTS = ['/templates', '/keys'];
/** Reports code that runs, in every frame. */
const TRAP = `Object.defineProperty(window, '${MARK}', { set() { console.error('stored code ran') } })`;
/** Whether the page shows a payload, including in form fields. */
const SHOWN = `[document.body.innerText, ...Array.from(document.querySelectorAll('input, textarea'), ({ value }) => value)]
  .some((text) => text.includes('${MARK}'))`;
/** Elements that the dashboard never creates, such as one with an event handler attribute or a URL of another site. */
const INJECTED = `Array.from(document.querySelectorAll('body *')).filter((element) =>
  element.matches('script, style, link, meta, base, object, embed, template') ||
  Array.from(element.attributes).some(({ name, value }) => /^(on.*|srcdoc|action|formaction|xlink:href)$/i.test(name) ||
    (/^(src|href|data)$/i.test(name) && new URL(value, location.href).origin !== location.origin)),
).map(({ outerHTML }) => outerHTML)`;

let account: string;
let api: Api;
let receiver: WebhookReceiver;
beforeEach(async () => {
  ({ account, api } = await newAccount());
  receiver = await WebhookReceiver.start({ authority: service.receivers! });
});
afterEach(async () => {
  await receiver.stop();
});

/** The IDs to visit for each dashboard page. A page without IDs shows no stored data. */
function visits(stored: StoredCode): Readonly<Record<string, readonly string[]>> {
  const { documents, batch, deliveries, emailTemplate } = stored;
  const templates = [emailTemplate, ...someOf(stored.templates)];
  return {
    '': [],
    '/templates': [''],
    '/templates/new': [],
    '/templates/:id': templates,
    '/templates/:id/history': templates,
    '/documents': [''],
    '/documents/:id': someOf(documents),
    '/batches': [''],
    '/batches/:id': [batch],
    '/emails': [''],
    '/emails/:id': templates,
    '/webhooks': [''],
    '/webhooks/deliveries': [''],
    '/webhooks/deliveries/:id': deliveries.slice(0, 6),
    '/keys': [''],
    '/requests': [''],
    '/usage': [],
  };
}

/**
 * Creates a document as kubectl does, so that its error quotes its template, with code in its data and options too.
 * Returns its ID.
 */
async function storeFailure(): Promise<string> {
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: service.kubeconfig }));
  const payload = '<img src=x onerror=__xss=1>';
  const name = newId('gen', new Date());
  const data = { [payload]: payload };
  const options = { header: { enabled: true, content: payload } };
  const spec = { template: { html: `{{> [${payload}]}}` }, data, options };
  const metadata = { name, namespace: account };
  await new KubernetesClient(transport).resource(GENERATION_JOB).createAsSent({ metadata, spec });
  transport.close();
  await eventually(async () => {
    const document = (await api.get(`/v1/generate/${name}`)).json<{ error?: object; options?: object }>();
    expect([document.error, document.options].map((part) => JSON.stringify(part))).toEqual(
      Array(2).fill(expect.stringContaining(payload)),
    );
  });
  return name;
}

const someOf = (ids: readonly string[]) => ids.filter((_id, index) => index % 8 === 0);

/** Waits until the page has loaded everything, and checks it for code. */
async function expectHarmless(): Promise<void> {
  await dashboard.loaded();
  expect(await dashboard.page.evaluate(INJECTED), dashboard.page.url()).toEqual([]);
}

/** Expects the page to show the payloads verbatim. */
async function expectText(payloads: readonly string[]): Promise<void> {
  const shown = await dashboard.text();
  expect(payloads.filter((payload) => !shown.includes(payload))).toEqual([]);
}

/** Loads the rest of a list. */
async function loadAll(): Promise<void> {
  const more = '::-p-aria([name="Load more"][role="button"])';
  while (await dashboard.page.$(more)) {
    const rows = await dashboard.page.$$eval('tbody tr', ({ length }) => length);
    await dashboard.page.locator(more).click();
    await dashboard.page.waitForFunction(`document.querySelectorAll('tbody tr').length > ${rows}`);
  }
}

describe('Stored code', () => {
  it('does not run on any page', async () => {
    const stored = await storeCode(api, receiver);
    const failed = await storeFailure();
    const { page } = dashboard;
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(`${dialog.type()} at ${page.url()}`);
      void dialog.dismiss();
    });
    await page.evaluateOnNewDocument(TRAP);
    await dashboard.signIn(api.key);
    const visited = visits(stored);
    expect(Object.keys(visited).toSorted()).toEqual(await registeredPaths());
    for (const [path, ids] of Object.entries(visited)) {
      if (ids.length === 0) {
        await dashboard.go(path);
        await page.locator('h1').wait();
        await expectHarmless();
      }
      for (const id of ids) {
        await dashboard.go(path.replace(':id', id));
        await page.waitForFunction(`${SHOWN} || ${INJECTED}.length > 0`);
        await loadAll();
        await expectHarmless();
        if (LISTS.includes(path)) await expectText(HOSTILE);
      }
    }

    await dashboard.go(`/documents/${failed}`);
    await dashboard.shows('onerror', 'unknown partial', 'Data');
    await expectHarmless();

    // Errors repeat what the user types and what the service makes of it.
    await dashboard.go(`/emails/${stored.emailTemplate}`);
    await page.locator('.emails_inbox iframe').wait();
    await dashboard.fill('Data (JSON)', '<img src=x onerror=__xss=1>');
    await dashboard.shows('Not valid JSON');
    await expectHarmless();
    expect(dialogs).toEqual([]);
  });

  it('does not run from any URL', async () => {
    dashboard.expectComplaint(/status of 40[04]/);
    await dashboard.page.evaluateOnNewDocument(TRAP);
    await dashboard.signIn(api.key);
    for (const [index, payload] of HOSTILE.entries()) {
      const code = encodeURIComponent(payload);
      const page = [`/templates/${code}`, '/templates', '/documents'][index % 3];
      await dashboard.go(`${page}?q=${code}&metadata=${code}#${code}`);
      await dashboard.page.locator('h1, [role=alert]').wait();
      await expectHarmless();
    }
  });
});
