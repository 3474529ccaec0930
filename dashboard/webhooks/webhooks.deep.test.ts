import type { HTTPRequest } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import { WebhookReceiver } from '../../test/support/http/webhook-receiver.ts';
import { newAccount, service } from '../testing/dashboard.ts';
import { dashboard } from '../testing/each-test.ts';

/** Would run if a page interpreted it as HTML. */
const HOSTILE = '<img src=x onerror="document.title=1">no thanks';

let api: Api;
let receiver: WebhookReceiver;
beforeEach(async () => {
  ({ api } = await newAccount());
  receiver = await WebhookReceiver.start({ authority: service.receivers! });
});
afterEach(async () => {
  await receiver.stop();
});

const urlOf = (path: string) => receiver.url(path, 'localhost');
const shownSecret = async () =>
  String(await dashboard.page.evaluate('document.querySelector("dialog pre").innerText'));
/** Presses a button in the dialog by its class. */
const confirm = async (kind: 'primary' | 'danger') =>
  dashboard.page.locator(`dialog .button_${kind}`).click();

describe('The webhooks page', () => {
  it('adds a webhook, tests it, rotates its secret, changes it and deletes it', async () => {
    await dashboard.signIn(api.key, '/webhooks');
    await dashboard.shows('This account has no webhook');
    await dashboard.expectAccessible('webhooks-empty');

    await dashboard.press('Add a webhook');
    await dashboard.fill('URL', urlOf('/account'));
    await dashboard.screenshots('webhooks-add');
    await confirm('primary');
    await dashboard.shows('Copy the secret now');
    const first = await shownSecret();
    expect(first).toMatch(/^whsec_/);
    await dashboard.screenshots('webhooks-secret');
    await dashboard.press('I stored the secret');

    await dashboard.press('Send a test event');
    await dashboard.shows('The endpoint accepted the test event: 200');
    expect(receiver.at('/account').map(({ headers }) => headers['x-trifold-event'])).toEqual([
      'webhook.test',
    ]);
    receiver.answer = (_request, response) => void response.writeHead(500).end(HOSTILE);
    await dashboard.press('Send a test event');
    await dashboard.shows('the endpoint returned 500');

    await dashboard.press('Rotate the secret');
    await dashboard.shows('signs with both secrets for 24 hours');
    await confirm('danger');
    await dashboard.shows('Copy the secret now');
    expect(await shownSecret()).not.toBe(first);
    await dashboard.press('I stored the secret');
    await dashboard.shows('Previous secret expires', '0 waiting to be sent');
    await dashboard.page.waitForFunction(`!document.querySelector('dialog')`);
    expect(await dashboard.page.evaluate('document.documentElement.outerHTML')).not.toContain('whsec_');

    await dashboard.press('Change');
    await dashboard.page.locator('dialog input[value="batch.progress"]').click();
    await confirm('primary');
    await dashboard.shows('Webhook saved');
    const { events } = (await api.get('/v1/webhooks/settings')).json<{ events: string[] }>();
    expect(events).toHaveLength(4);
    await dashboard.screenshots('webhooks');

    await dashboard.press('Delete');
    await dashboard.shows('This cannot be undone');
    await confirm('danger');
    await dashboard.shows('This account has no webhook');
    expect((await api.get('/v1/webhooks/settings')).status).toBe(404);
  });

  it('adds and deletes a hook using only the keyboard', async () => {
    await dashboard.signIn(api.key, '/webhooks');
    await dashboard.shows('This account has no hooks');
    const { keyboard } = dashboard.page;
    await dashboard.page.focus('section[aria-labelledby=hooks] button');
    await keyboard.press('Enter');
    await dashboard.page.waitForFunction(`document.activeElement.name === 'source'`);
    await keyboard.press('Tab');
    await keyboard.type(urlOf('/hook'));
    await keyboard.press('Enter');
    await dashboard.shows('Copy the secret now');
    await dashboard.tabTo('I stored the secret');
    await keyboard.press('Enter');
    await dashboard.page.locator('section[aria-labelledby=hooks] tbody button').wait();
    await dashboard.expectAccessible();
    await dashboard.page.focus('section[aria-labelledby=hooks] tbody button');
    await keyboard.press('Enter');
    // The focus is on Cancel.
    await dashboard.page.locator('dialog .button_danger').wait();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await dashboard.shows('This account has no hooks');
  });

  it('explains what is wrong with a URL', async () => {
    dashboard.expectComplaint(/400|422/);
    await dashboard.signIn(api.key, '/webhooks');
    await dashboard.press('Add a webhook');
    await confirm('primary');
    await dashboard.shows('Enter a URL');
    await dashboard.fill('URL', 'https://user:password@hooks.example.com/');
    await confirm('primary');
    await dashboard.shows('The service does not accept these values', 'URL:', 'user');
    expect(await dashboard.text()).not.toContain('/url');
  });
});

describe('The delivery pages', () => {
  beforeEach(async () => {
    receiver.answer = (_request, response) => void response.writeHead(503).end(HOSTILE);
    await api.post('/v1/webhooks/settings', { url: urlOf('/account') });
    const { id } = await api.createTemplate({ html: '<h1>Hello</h1>' });
    for (let count = 0; count < 2; count += 1) {
      await api.post('/v1/generate', { template_id: id, data: {}, format: 'html' });
    }
    await eventually(async () => {
      const answer = await api.get('/v1/webhooks/deliveries?status=failed');
      return answer.json<{ data: unknown[] }>().data.length === 2;
    });
  });

  it('filter, show every attempt as text, and retry one delivery', async () => {
    await dashboard.signIn(api.key, '/webhooks/deliveries');
    await dashboard.shows('document.completed');
    await dashboard.screenshots('deliveries');
    await dashboard.page.select('select[name=status]', 'delivered');
    await dashboard.shows('No deliveries match the filters');
    await dashboard.page.select('select[name=status]', 'failed');
    await dashboard.page.locator('tbody th a').wait();
    await dashboard.page.reload();
    await dashboard.page.locator('tbody th a').wait();
    expect(await dashboard.page.evaluate('document.querySelector("select").value')).toBe('failed');

    await dashboard.page.locator('tbody th a').click();
    await dashboard.shows('Every attempt sends the same body', 'X-Trifold-Delivery-ID');
    expect(await dashboard.text()).toContain(HOSTILE);
    await dashboard.screenshots('delivery');
    receiver.answer = (_request, response) => void response.end('thanks');
    await dashboard.press('Retry');
    await dashboard.shows('Delivered', 'thanks');
  });

  it('show a new delivery automatically and retry it early', async () => {
    await dashboard.signIn(api.key, '/webhooks/deliveries');
    await dashboard.shows('document.completed');
    receiver.answer = (_request, response) => void response.writeHead(503, { 'retry-after': '3600' }).end();
    const { id } = await api.createTemplate({ html: '<h1>Hello</h1>' });
    await api.post('/v1/generate', { template_id: id, data: {}, format: 'html' });
    await dashboard.shows('Retry now');
    receiver.answer = (_request, response) => void response.end('thanks');
    await dashboard.page.locator('::-p-text(Retry now)').click();
    await dashboard.shows('Delivered');
  });

  it('retry all matching failed deliveries, stop between requests and continue where they stopped', async () => {
    receiver.answer = (_request, response) => void response.end('thanks');
    await dashboard.signIn(api.key, '/webhooks/deliveries?event=document.completed');
    const sent: unknown[] = [];
    const held = Promise.withResolvers<void>();
    await dashboard.page.setRequestInterception(true);
    // The responses that 1,002 failed deliveries would get.
    const answer = (request: HTTPRequest) => {
      if (!request.url().endsWith('/deliveries/retry')) return void request.continue();
      sent.push(JSON.parse(request.postData() ?? ''));
      const isFirst = sent.length === 1;
      const body = isFirst
        ? { retried: 1000, has_more: true, next_cursor: 'next' }
        : { retried: 2, has_more: false, next_cursor: null };
      const respond = async () =>
        request.respond({ status: 202, contentType: 'application/json', body: JSON.stringify(body) });
      return void (isFirst ? held.promise.then(respond) : respond());
    };
    dashboard.page.on('request', answer);
    await dashboard.press('Retry all failed');
    await dashboard.shows('Failed deliveries that match: 2.');
    await dashboard.screenshots('deliveries-retry-all');
    await confirm('primary');
    await dashboard.press('Stop');
    held.resolve();
    await dashboard.shows('Stopped. Retried: 1,000.');
    const event = 'document.completed';
    expect(sent).toEqual([{ event }]);
    await confirm('primary');
    await dashboard.shows('Done. Retried: 1,002.');
    expect(sent).toEqual([{ event }, { event, cursor: 'next' }]);

    dashboard.page.off('request', answer);
    await dashboard.page.setRequestInterception(false);
    await dashboard.page.reload();
    await dashboard.press('Retry all failed');
    await confirm('primary');
    await dashboard.shows('Done. Retried: 2.');
    await eventually(async () => {
      const delivered = await api.get('/v1/webhooks/deliveries?status=delivered');
      return delivered.json<{ data: unknown[] }>().data.length === 2;
    });
  });
});
