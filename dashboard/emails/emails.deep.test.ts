import type { TrifoldClient } from '@trifold/client';
import type { Frame } from 'puppeteer-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { newAccount } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

const RECEIPT = {
  name: 'Receipt',
  description: 'After a payment',
  html: `<h1>Thank you, {{name}}</h1><p>Your order {{number}} is on its way. You find the invoice in your account.</p>
    <p><a href="https://shop.example/{{number}}">See the order</a></p>`,
  css: `body { margin: 0; padding: 24px; font-family: sans-serif; background: #ffffff; color: #202020 }
    @media (prefers-color-scheme: dark) {
      body { background: #101018 !important; color: #eeeeee !important } a { color: #a5b0ff !important }
    }`,
  email: { subject: 'Receipt {{number}}', preheader: 'Thank you for your order' },
};

let client: TrifoldClient;
let key: string | undefined;
beforeEach(async () => {
  ({ client, key } = await newAccount());
  // axe looks for its script in the frame, which has an opaque origin.
  dashboard.expectComplaint(/'postMessage'.*origin \('null'\)/);
});

async function receipt(): Promise<string> {
  const { id } = await client.templates.create(RECEIPT);
  await client.templates.saveSamples(id, [
    { name: 'Ada', data: { name: 'Ada', number: 17 } },
    { name: 'Grace', data: { name: 'Grace', number: 18 } },
  ]);
  return id;
}

/** The frame, once its heading contains the text. */
async function frameWith(heading: string): Promise<Frame> {
  const frame = await dashboard.page.waitForFrame((each) => each.url().endsWith('/dashboard/frame'));
  await frame.waitForSelector(`h1 ::-p-text(${heading})`);
  return frame;
}

const hasBackground = async (frame: Frame, colour: string) =>
  frame.waitForFunction(`getComputedStyle(document.body).backgroundColor === '${colour}'`);
const hasWidth = async (pixels: number) =>
  dashboard.page.waitForFunction(`document.querySelector('.emails_inbox iframe').clientWidth === ${pixels}`);

describe('The email pages', () => {
  it('show an email in both widths and themes, with its text and the provider payloads', async () => {
    await receipt();
    // A compiled email counts as usage.
    let compiled = 0;
    dashboard.page.on(
      'request',
      (request) => (compiled += Number(request.url().endsWith('/emails/compile'))),
    );
    await client.templates.create({ name: 'No email', html: '<p>Invoice' });
    await dashboard.signIn(key, '/emails');
    await dashboard.shows('After a payment');
    expect(await dashboard.text()).not.toContain('No email');
    await dashboard.screenshots('emails');
    await dashboard.page.locator('tbody a').click();
    const frame = await frameWith('Thank you, Ada');
    await dashboard.shows('Receipt 17', 'Thank you for your order');
    await hasWidth(600);
    const areNext = `((data, email) => data.right < email.left && email.top < innerHeight)(
      ...['textarea', '.emails_inbox'].map((each) => document.querySelector(each).getBoundingClientRect()))`;
    expect(await dashboard.page.evaluate(areNext)).toBe(true);
    await hasBackground(frame, 'rgb(255, 255, 255)');
    await dashboard.press('Phone, 375 px');
    await hasWidth(375);
    await dashboard.screenshots('email');
    await dashboard.press('Dark');
    await hasBackground(frame, 'rgb(16, 16, 24)');

    expect(compiled).toBe(0);
    await dashboard.press('Compile', 'Brevo');
    expect(compiled).toBe(1);
    await dashboard.page.evaluate(`Object.defineProperty(navigator, 'clipboard',
      { value: { writeText: async (text) => void (window.copied = text) } })`);
    await dashboard.press('Copy: Request body for Brevo');
    const copied = JSON.parse(String(await dashboard.page.evaluate('window.copied'))) as object;
    expect(copied).toMatchObject({ subject: 'Receipt 17', textContent: expect.stringContaining('Ada') });
    expect(await dashboard.text()).toContain('See the order (https://shop.example/17)');
  });

  it('accept samples and custom data, using only the keyboard', async () => {
    const id = await receipt();
    await dashboard.signIn(key, `/emails/${id}`);
    const { page } = dashboard;
    const { keyboard } = page;
    await page.locator('select[name=sample]').wait();
    await page.focus('select[name=sample]');
    await keyboard.press('ArrowDown');
    await frameWith('Thank you, Grace');
    await keyboard.press('Tab');
    await keyboard.type('!');
    await dashboard.shows('Not valid JSON');
    await dashboard.expectAccessible();
    await page.focus('textarea');
    await dashboard.keys('Control', 'a');
    await keyboard.type('{"name": "Own", "number": 19}');
    await frameWith('Thank you, Own');
    expect(await page.$eval('select[name=sample]', ({ value }) => value)).toBe('-1');
  });

  it('explain what to do if a template has no email parts or there are no templates', async () => {
    await dashboard.signIn(key, '/emails');
    await dashboard.shows('No email templates yet');
    const { id } = await client.templates.create({ name: 'Invoice', html: '<p>Invoice' });
    await dashboard.go(`/emails/${id}`);
    await dashboard.shows('has no email parts');
    await dashboard.expectAccessible('email-none');
    const href = await dashboard.page.$eval('a.button_primary', (link) => link.getAttribute('href'));
    expect(href).toBe(`/dashboard/templates/${id}`);
  });

  it('show the reason if the service rejects the data', async () => {
    const schema = { fields: [{ name: 'number', type: 'string', required: true }] } as const;
    const { id } = await client.templates.create({ ...RECEIPT, schema: { fields: [...schema.fields] } });
    await dashboard.signIn(key, `/emails/${id}`);
    await dashboard.page.locator('.notice_danger').wait();
    expect(await dashboard.text()).toContain('/number');
  });
});
