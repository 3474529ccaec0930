import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Api } from '../../test/support/api.ts';
import { eventually } from '../../test/support/eventually.ts';
import {
  inventKeys,
  removeDirectory,
  ServiceProcess,
  temporaryDirectory,
} from '../../test/support/service.ts';
import { Dashboard } from '../testing/dashboard.ts';

const keys = inventKeys();
const today = () => new Date().toISOString().slice(0, 10);

let directory: string;
/** A service with prices: the service under test has none. */
let service: ServiceProcess;
let dashboard: Dashboard;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const environment = {
    TRIFOLD_LOG_LEVEL: 'warn',
    TRIFOLD_PRICES: 'currency=EUR,html=0.015',
  };
  service = new ServiceProcess({ data: join(directory, 'service'), keys, environment });
  await service.ready();
});
afterAll(async () => {
  await service.stop();
  await removeDirectory(directory);
});
beforeEach(async () => {
  dashboard = await Dashboard.open(service.url);
});
afterEach(async () => dashboard.close());

const cell = async (selector: string) =>
  String(await dashboard.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`));

describe('The usage and billing page', () => {
  it('shows that there is no usage yet', async () => {
    await dashboard.signIn(keys.live, '/usage');
    await dashboard.shows('No documents were generated in this period');
    expect(await dashboard.page.$('[aria-label="Documents by date and format"]')).toBeNull();
    await dashboard.expectAccessible('usage-empty');
  });

  it('shows the bill and the documents by format and key type, and exports them as CSV', async () => {
    const live = new Api(service.url, keys.live);
    const test = new Api(service.url, keys.test);
    const { id: template_id } = await live.createTemplate({ html: '<h1>Hello</h1>' });
    for (const [api, format] of [
      [live, 'html'],
      [live, 'html'],
      [live, 'pdf'],
      [test, 'html'],
    ] as const) {
      expect((await api.post('/v1/generate', { template_id, data: {}, format })).status).toBe(200);
    }
    await eventually(async () => {
      const { total } = (await live.get('/v1/usage')).json<{ total: { pages: number; documents: object } }>();
      expect(total.documents).toMatchObject({ live: { html: 2, pdf: 1 }, test: { html: 1 } });
    });

    await dashboard.signIn(keys.live, '/usage');
    await dashboard.shows('3 live, 1 test', 'As of:', 'of 53.7 GB');
    await dashboard.page.locator('.usage_canvas canvas').wait();
    expect(await cell('.usage_numbers tbody tr')).toMatch(/^\S+ \d+, \d+\s+1\s+0\s+0\s+0\s+3\s+0\s+0\s+4\s/);
    // The table omits the days without usage.
    expect(await dashboard.page.evaluate(`document.querySelector('.usage_numbers tbody').rows.length`)).toBe(
      1,
    );
    // 2 × 0.015, exactly.
    await dashboard.shows('€0.03');
    await dashboard.expectAccessible();
    // Changing the theme redraws the plot, which loses the pointer position.
    await eventually(async () => {
      await dashboard.page.mouse.move(0, 0);
      await dashboard.page.hover('.usage_canvas .u-over');
      await dashboard.page.waitForSelector('.usage_tip', { timeout: 1000 });
    });
    await dashboard.screenshots('usage');

    await dashboard.page.select('select[name=keys]', 'test');
    await dashboard.page.waitForFunction(
      `/^\\S+ \\d+, \\d+\\s+0\\s+0\\s+0\\s+0\\s+1\\s+0\\s+0\\s+1$/.test(document.querySelector('.usage_numbers tbody tr').innerText)`,
    );
    await dashboard.page.reload();
    await dashboard.shows('3 live, 1 test');
    expect(await dashboard.page.evaluate('document.querySelector("select[name=keys]").value')).toBe('test');

    await dashboard.press('Download CSV');
    const file = await dashboard.downloaded(`usage-${today().slice(0, 8)}01-${today()}.csv`);
    const lines = file.toString().split('\r\n');
    expect(lines[0]).toBe(
      'date,live_pdf,live_png,live_jpeg,live_webp,live_html,live_docx,live_xml,test_pdf,test_png,test_jpeg,test_webp,test_html,test_docx,test_xml,failed,pages,bytes,batches,emails',
    );
    expect(lines.at(-2)).toMatch(new RegExp(`^${today()},1,0,0,0,2,0,0,0,0,0,0,1,0,0,`));
  });

  it('accepts a period using only the keyboard and reports one that is too long', async () => {
    await dashboard.signIn(keys.live, '/usage?range=last-12-months');
    /** Waits until the table has only the row for today's usage and shows its date in this form. */
    const showsDate = async (date: RegExp) =>
      dashboard.page.waitForFunction(
        `((rows) => rows?.length === 1 && ${date}.test(rows[0].cells[0].innerText))(
          document.querySelector('.usage_numbers tbody')?.rows)`,
      );
    await showsDate(/^\w+ \d{4}$/);
    await dashboard.page.focus('select[name=by]');
    await dashboard.page.keyboard.type('Day');
    await showsDate(/^\w+ \d+, \d{4}$/);
    await dashboard.go('/usage?range=custom&from=2020-01-01&to=2025-12-31&bill=nonsense');
    await dashboard.shows('The period is too long');
    await dashboard.expectAccessible();
  });
});
