import type { TrifoldClient } from '../../clients/typescript/index.ts';
import { exampleData, startReceiver, type Company, type Example } from './company.ts';

/** The month that the dashboard screenshots show. */
export interface Month {
  /** ID of an email template. */
  readonly email: string;
  /** A delivery that succeeded on its second attempt. */
  readonly delivery: string;
}

const CONFIRMATION = {
  name: 'Order confirmation',
  description: 'Email after an order in the shop.',
  html: `<!doctype html>
<html lang="en">
  <body style="margin: 0; background: #f4f5f7">
    <div class="card">
      <p class="brand">Papierwerk Köln</p>
      <h1>Thank you for your order, {{name}}</h1>
      <p>We received order <b>{{order}}</b> of {{formatDate ordered "long"}} and will start printing on Monday.</p>
      <table>
        {{#each lines}}<tr><td>{{text}}</td><td class="amount">{{formatCurrency amount "EUR"}}</td></tr>
        {{/each}}<tr class="total"><td>Total</td><td class="amount">{{formatCurrency (sum lines "amount") "EUR"}}</td></tr>
      </table>
      <p><a class="button" href="https://shop.papierwerk.example/orders/{{order}}">Follow your order</a></p>
    </div>
  </body>
</html>
`,
  css: `.card { max-width: 560px; margin: 24px auto; padding: 32px; background: #fff; font: 16px/1.5 Arial, sans-serif; color: #1d2433 }
.brand { color: #0f5c4d; font-weight: bold }
h1 { font-size: 22px }
table { width: 100%; border-collapse: collapse; margin: 24px 0 }
td { padding: 8px 0; border-bottom: 1px solid #e4e7ec }
.amount { text-align: right }
.total td { font-weight: bold; border-bottom: 0 }
.button { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #0f5c4d; color: #fff; text-decoration: none }
`,
  email: { subject: 'Your order {{order}}', preheader: 'We will start printing on Monday.' },
};
const ORDER = {
  name: 'Marta',
  order: 'A-10482',
  ordered: '2026-11-21',
  lines: [
    { text: 'Letterhead on recycled paper, 12,000 sheets', amount: 1188 },
    { text: 'Envelopes DL with window, 5,000', amount: 240 },
  ],
};

const REMINDER = `<h1>Reminder</h1>
<p>{{customer}}</p>
<p>Invoice {{number}} of {{formatCurrency amount "EUR"}} was due on {{formatDate due "long"}}.</p>`;

/** Customer names for documents. */
const CUSTOMERS = [
  'Nordwind Energie',
  'Atelier Brandt',
  'Zielona Drukarnia',
  'Café Lumière',
  'De Boer Logistiek',
];

/** Three weeks of a company's activity: templates and keys first, today's documents last. */
export async function liveAMonth(company: Company): Promise<Month> {
  const { client, clock } = company;
  await company.applyExamples();
  const shop = await company.program('Web shop', ['documents:generate']);
  clock.minutes -= 190;
  const erp = await company.program('ERP, nightly run', ['documents:generate', 'usage:read']);
  const staging = await company.program('Staging', ['documents:generate', 'templates:read'], 'test');
  await company.program('Template deployment', ['templates:read', 'templates:write']);
  const confirmation = await client.templates.create(CONFIRMATION);
  await client.templates.saveSamples(confirmation.id, [{ name: 'Two lines', data: ORDER }]);
  await client.templates.create({ name: 'Payment reminder', status: 'draft', html: REMINDER });
  await changeInvoice(company);
  await company.writeUsage(28);

  clock.minutes = 9 * 60;
  const receiver = await startReceiver();
  try {
    const events = ['document.completed', 'document.failed', 'batch.completed', 'batch.failed'] as const;
    await client.webhooks.settings.set({ url: `${receiver.url}/hooks/trifold`, events: [...events] });
    await printCertificates(erp, clock);
    await printDocuments({ shop, erp, staging }, clock);
    const delivery = await retriedDelivery(client);
    clock.minutes = 0;
    return { email: confirmation.id, delivery };
  } finally {
    await receiver.stop();
  }
}

/** Creates versions of the invoice and publishes one of them. */
async function changeInvoice({ client, clock }: Company): Promise<void> {
  const { css } = await client.templates.get('invoice');
  const changed = (colour: string) => (css ?? '').replaceAll('#2b5fd9', colour);
  clock.minutes = 6 * 24 * 60;
  await client.templates.update('invoice', { css: changed('#0f5c4d') });
  await client.templates.publish('invoice', 2);
  clock.minutes = 26 * 60;
  const wider = changed('#0f5c4d').replace('h1 { font-size: 22pt;', 'h1 { font-size: 24pt;');
  await client.templates.update('invoice', { css: wider });
}

async function printCertificates(client: TrifoldClient, clock: Company['clock']): Promise<void> {
  const data = await exampleData('certificate');
  const names = [
    'Ada Nowak',
    'Jonas Albrecht',
    'Inès Carpentier',
    'Milan Novák',
    'Sofie de Boer',
    'Emre Aydın',
  ];
  const { id } = await client.batches.create({
    template_id: 'certificate',
    format: 'pdf',
    metadata: { course: 'Bookbinding, autumn' },
    items: names.map((recipient) => ({ data: { ...data, recipient } })),
  });
  await client.batches.wait(id);
  clock.minutes -= 55;
}

interface Programs {
  readonly shop: TrifoldClient;
  readonly erp: TrifoldClient;
  readonly staging: TrifoldClient;
}

/** One day's documents, newest last. */
async function printDocuments({ shop, erp, staging }: Programs, clock: Company['clock']): Promise<void> {
  const print = async (
    client: TrifoldClient,
    template_id: Example,
    { filename, format = 'pdf' as const, metadata = {}, change = {} }: Print,
  ) => {
    const data = { ...(await exampleData(template_id)), ...change };
    await client.documents.generate({ template_id, data, filename, format, metadata });
    clock.minutes -= 23;
  };
  let number = 42;
  const invoice = async () => {
    number += 1;
    const change = { number: `INV-2026-00${number}` };
    const metadata = { order: `A-104${number}`, customer: CUSTOMERS[number % CUSTOMERS.length] ?? '' };
    await print(shop, 'invoice', { filename: `invoice-2026-00${number}`, metadata, change });
  };
  await print(erp, 'report', { filename: 'third-quarter-2026', metadata: { department: 'Sales' } });
  await invoice();
  await print(shop, 'label', { filename: 'label-A-10443', metadata: { order: 'A-10443' } });
  await print(erp, 'letter', {
    filename: 'letter-PW-2026-118',
    format: 'docx',
    metadata: { customer: 'Łódzka Drukarnia' },
  });
  await invoice();
  await print(staging, 'invoice', { filename: 'layout-test', metadata: { branch: 'new-logo' } });
  const account = { iban: 'DE89 3704 0044 0532 0130 01' };
  await print(shop, 'sepa-invoice', {
    filename: 'invoice-2026-1147',
    metadata: { order: 'A-10445' },
    change: { account },
  });
  await print(shop, 'sepa-invoice', { filename: 'invoice-2026-1148', metadata: { order: 'A-10446' } });
  await print(erp, 'swiss-bill', {
    filename: 'bill-2026-1149',
    metadata: { order: 'A-10447', customer: 'Noémie Rutschmann' },
  });
  await print(shop, 'certificate', { filename: 'voucher-preview', format: 'png' });
  await invoice();
  await print(shop, 'label', { filename: 'label-A-10445', metadata: { order: 'A-10445' } });
  await invoice();
}

interface Print {
  readonly filename: string;
  readonly format?: 'pdf' | 'docx' | 'png';
  readonly metadata?: Record<string, string>;
  /** Changes to the example's data. */
  readonly change?: Record<string, unknown>;
}

/** Waits for the delivery that the receiver rejected first. */
async function retriedDelivery(client: TrifoldClient): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { data } = await client.webhooks.deliveries.page({ limit: 50 });
    const found = data.find((delivery) => delivery.status === 'delivered' && delivery.attempts > 1);
    if (found) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('no delivery was retried');
}
