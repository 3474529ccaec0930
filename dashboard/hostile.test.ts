import { randomUUID } from 'node:crypto';
import { TrifoldClient } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { clientWithNewKey } from '../test/support/keys-command.ts';
import { Dashboard } from './testing/dashboard.ts';

const service = inject('service');

/** Each would set a global or ask another host if a page took it for markup or an address. */
const PAYLOADS = [
  '<script>window.xss=1</script>',
  '"><script>window.xss=1</script>',
  "'><img src=x onerror=window.xss=1>",
  '<img src="https://evil.example/pixel.png">',
  '<svg onload=window.xss=1>',
  '<svg><script>window.xss=1</script></svg>',
  '<body onload=window.xss=1>',
  '<iframe srcdoc="<script>parent.xss=1</script>"></iframe>',
  '<iframe src="javascript:parent.xss=1"></iframe>',
  '<a href="javascript:window.xss=1">open</a>',
  'javascript:window.xss=1',
  'data:text/html,<script>opener.xss=1</script>',
  '<input autofocus onfocus=window.xss=1>',
  '<details open ontoggle=window.xss=1>',
  '<style>@import "https://evil.example/a.css";</style>',
  '<link rel=stylesheet href="https://evil.example/a.css">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><button>Save</button></form>',
  '</textarea><script>window.xss=1</script>',
  '</title><script>window.xss=1</script>',
  '<!--><img src=x onerror=window.xss=1>-->',
  '<math><mi//xlink:href="data:x,<script>window.xss=1</script>">',
  '${window.xss=1}',
  '{"__proto__":{"xss":1}}',
  '__proto__',
];

let dashboard: Dashboard;
let client: TrifoldClient;
let key: string;
beforeEach(async () => {
  const account = `dashboard-${randomUUID().slice(0, 13)}`;
  const made = await clientWithNewKey(service.url, service.kubeconfig, { account });
  key = made.key as string;
  client = new TrifoldClient({ baseUrl: service.url, apiKey: key });
  dashboard = await Dashboard.open();
});
afterEach(async () => dashboard.close());

/** Stores a payload in eight places. Returns the ids of the template and of the document. */
async function store(payload: string) {
  const template = await client.templates.create({
    name: payload,
    description: payload,
    html: '<p>{{name}}</p>',
    email: { subject: payload, text: payload },
  });
  await client.templates.saveSamples(template.id, [{ name: payload, data: { name: payload } }]);
  await client.apiKeys.create({ name: payload, description: payload, scopes: ['templates:read'] });
  const metadata = { note: payload };
  const { id } = await client.documents.generateAsync({
    template_id: template.id,
    data: { name: payload },
    metadata,
  });
  return { template: template.id, document: id };
}

/** Opens a page and waits until it shows one of its texts. */
async function visit(path: string, shown: string): Promise<void> {
  await dashboard.go(path);
  await dashboard.page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(shown)})`);
  expect(await dashboard.page.evaluate('window.xss'), path).toBeUndefined();
}

describe('Hostile texts', () => {
  it('are shown as texts on every page, and run and load nothing', { timeout: 300_000 }, async () => {
    const dialogs: string[] = [];
    dashboard.page.on('dialog', (dialog) => void dialogs.push(dialog.message()));
    const stored = [];
    for (const payload of PAYLOADS) stored.push({ payload, ...(await store(payload)) });
    await Promise.all(stored.map(async ({ document }) => client.documents.wait(document)));
    const [first] = PAYLOADS as [string];
    await dashboard.signIn(key);
    await visit('/templates', first);
    await visit('/documents', 'Completed');
    await visit('/emails', first);
    await visit('/keys', first);
    for (const path of ['/', '/batches', '/webhooks', '/webhooks/deliveries', '/usage']) {
      // An account without a webhook: the API answers 404.
      dashboard.expectComplaint(/404/);
      await visit(path, 'Trifold');
    }
    for (const { payload, template, document } of stored) {
      await visit(`/templates/${template}/history`, payload);
      await visit(`/documents/${document}`, payload);
      await visit(`/emails/${template}`, payload);
      await visit(`/templates?q=${encodeURIComponent(payload)}`, 'Templates');
      await visit(`/documents?metadata=${encodeURIComponent(`note=${payload}`)}`, 'Documents');
    }
    for (const { payload, template } of stored.slice(0, 5)) await visit(`/templates/${template}`, payload);
    expect(dialogs).toEqual([]);
  });
});
