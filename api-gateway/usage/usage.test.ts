import { beforeEach, describe, expect, it } from 'vitest';
import { USAGE_REPORT, type UsageReportStatus } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { AS_OF_KEY, writeAsOf } from '@trifold/platform/records/usage/stored-totals.ts';
import { readEmailTotals } from '@trifold/platform/records/usage/email-totals.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { parseDecimal } from './prices.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const TODAY = '2026-11-21';
const NO_DOCUMENTS = { pdf: 0, png: 0, jpeg: 0, webp: 0, html: 0, docx: 0, xml: 0 };

let clock: FakeClock;
let gateway: GatewayFixture;
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await GatewayFixture.forTest({ clock });
});

interface Usage {
  from: string;
  to: string;
  data: { date: string; documents: { live: { pdf: number }; test: { pdf: number } }; emails: number }[];
  total: { documents: { live: { pdf: number } }; emails: number };
}

async function usage(query = '', key = gateway.key): Promise<Usage> {
  const response = await gateway.call('GET', `/v1/usage${query}`, { key });
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Usage>();
}

async function rejected(path: string): Promise<{ path: string; message: string }[]> {
  const response = await gateway.call('GET', path);
  expect(response.statusCode, response.body).toBe(400);
  const body = response.json<{ code: string; details: { path: string; message: string }[] }>();
  expect(body.code).toBe('invalid_request');
  return body.details;
}

async function report(day: string, status: UsageReportStatus, account = 'acme') {
  const reports = gateway.kubernetes.resource(USAGE_REPORT);
  const made = await reports.create({ metadata: { name: day, namespace: account }, spec: { day } });
  return reports.replaceStatus({ ...made, status });
}

const compile = (key = gateway.key) =>
  gateway.call('POST', '/v1/emails/compile', {
    key,
    body: { template: { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' }, data: {} },
  });

describe('GET /v1/usage', () => {
  it('returns the month so far, day by day, with zeros for days without work', async () => {
    const response = await usage();
    expect([response.from, response.to, response.data.length]).toEqual(['2026-11-01', TODAY, 21]);
    const nothing = { failed: 0, pages: 0, bytes: 0, batches: 0, emails: 0 };
    const documents = { live: NO_DOCUMENTS, test: NO_DOCUMENTS };
    expect(response.data[0]).toEqual({ date: '2026-11-01', documents, ...nothing });
    expect(response.total).toEqual({ documents, ...nothing });
  });

  it("adds a report's uncounted work to its counters, excluding other accounts", async () => {
    const documents = { live: { pdf: 1 }, test: { png: 2 } };
    await report(TODAY, {
      documents: { live: { pdf: 5, docx: 1 } },
      failed: 1,
      pages: 9,
      bytes: 900,
      emails: { live: 2, test: 1 },
      uncounted: { work: 4, documents, failed: 1, pages: 3, bytes: 10 },
      pending: [{ uid: 'counted', kind: 'GenerationJob', name: 'gen-1' }],
    });
    await report(TODAY, { documents: { live: { pdf: 1 } }, uncounted: { batches: 1 } }, 'other');
    const { data, total } = await usage();
    const counted = {
      documents: { live: { ...NO_DOCUMENTS, pdf: 6, docx: 1 }, test: { ...NO_DOCUMENTS, png: 2 } },
      failed: 2,
      pages: 12,
      bytes: 910,
      batches: 0,
      emails: 3,
    };
    expect(data.at(-1)).toEqual({ date: TODAY, ...counted });
    expect(total).toEqual(counted);
  });

  it('states the time up to which it is complete, which is unknown before a controller has run', async () => {
    const times = async () => {
      const responses = [await gateway.call('GET', '/v1/usage'), await gateway.call('GET', '/v1/billing')];
      return responses.map((response) => response.json<{ as_of: string | null }>().as_of);
    };
    expect(await times()).toEqual([null, null]);
    await writeAsOf(gateway.store, clock.now());
    const written = clock.now().toISOString();
    clock.advance(3_600_000);
    expect(await times()).toEqual([written, written]);
    await gateway.store.put(AS_OF_KEY, 'nonsense');
    expect(await times()).toEqual([null, null]);
  });

  it('reads one object and lists the reports, regardless of the amount of work', async () => {
    await gateway.stop();
    const requests: string[] = [];
    gateway = await GatewayFixture.forTest({
      clock,
      intercept: intercepting(({ path }) => {
        if (path.includes('/namespaces/acme/')) requests.push(path.split('/').at(-1) ?? '');
      }),
    });
    await report(TODAY, { documents: { live: { pdf: 5 } } });
    requests.length = 0;
    await usage();
    expect(requests).toEqual(['usagereports']);
  });

  it('sums only the requested days into months', async () => {
    for (const day of ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'])
      await report(day, { documents: { live: { pdf: 1 } } });
    const { data, total } = await usage('?from=2026-10-01&to=2026-11-21&granularity=month');
    const months = data.map(({ date, documents }) => `${date}: ${documents.live.pdf}`);
    expect(months).toEqual(['2026-10: 2', '2026-11: 1']);
    expect(total.documents.live.pdf).toBe(3);
    expect((await usage('?to=2026-10-15')).data).toHaveLength(15);
    expect((await usage('?from=2026-10-31&to=2026-10-31')).total.documents.live.pdf).toBe(1);
  });

  it('includes compiled emails, but not previews, in the totals for the controller, by key mode', async () => {
    const email = { subject: 'Hi' };
    const preview = { html: '<p>Hi</p>', data: {}, format: 'email', email };
    expect((await gateway.call('POST', '/v1/templates/preview', { body: preview })).statusCode).toBe(200);
    await compile();
    await compile(await gateway.mint({ mode: 'test' }, true));
    await compile(gateway.otherKey);
    clock.advance(2_000);
    const totals = await eventually(async () => {
      const all = await readEmailTotals(gateway.store, TODAY, {
        note: (_key, error) => expect.unreachable(String(error)),
      });
      return all.size === 2 && all;
    });
    expect([...totals.values()]).toEqual(
      expect.arrayContaining([
        { live: 1, test: 1 },
        { live: 1, test: 0 },
      ]),
    );
  });

  it.each([
    ['?from=2026-02-30', '/from', 'is not a valid date'],
    ['?to=21.11.2026', '/to', 'must be a day such as 2026-11-21'],
    ['?from=2026-11-02&to=2026-11-01', '/from', 'must not be after to, 2026-11-01'],
    ['?from=2026-12-01', '/from', 'must not be after today, 2026-11-21'],
    ['?from=2025-11-20&to=2026-11-21', '/from', 'must be at most 366 days before to, not 367'],
    ['?from=2023-11-01&granularity=month', '/from', 'must be at most 36 months before to, not 37'],
    ['?granularity=year', '/granularity', 'must be one of day, month'],
    ['?period=2026-11', '/period', 'is not a known field'],
  ])('rejects %s', async (query, path, message) => {
    expect(await rejected(`/v1/usage${query}`)).toEqual([{ path, message }]);
  });
});

describe('GET /v1/billing', () => {
  it('returns what live keys used this month, without amounts for units without a price', async () => {
    const uncounted = { documents: { live: { pdf: 1 }, test: { pdf: 1 } }, failed: 1 };
    await report(TODAY, { uncounted, emails: { live: 1, test: 3 } });
    await report('2026-10-31', { documents: { live: { pdf: 100 } } });
    const response = await gateway.call('GET', '/v1/billing');
    const unpriced = { unit_price: null, amount: null };
    expect(response.json()).toEqual({
      period: '2026-11',
      from: '2026-11-01',
      to: '2026-11-30',
      currency: null,
      units: [
        { unit: 'pdf', quantity: 1, ...unpriced },
        ...['png', 'jpeg', 'webp', 'html', 'docx', 'xml'].map((unit) => ({ unit, quantity: 0, ...unpriced })),
        { unit: 'email', quantity: 1, ...unpriced },
      ],
      total: null,
      as_of: null,
    });
  });

  it('returns exact amounts for units with a price', async () => {
    await gateway.stop();
    const units = { pdf: parseDecimal('0.1')!, email: parseDecimal('0.00075')! };
    gateway = await GatewayFixture.forTest({ clock, config: { prices: { currency: 'EUR', units } } });
    await report('2026-02-28', { documents: { live: { pdf: 3 } }, emails: { live: 1001 } });
    await report('2026-02-01', { documents: { live: { png: 2 }, test: { pdf: 50 } }, emails: { test: 9 } });
    const response = await gateway.call('GET', '/v1/billing?period=2026-02');
    expect(response.json()).toMatchObject({
      to: '2026-02-28',
      currency: 'EUR',
      units: [
        { unit: 'pdf', quantity: 3, unit_price: '0.1', amount: '0.3' },
        { unit: 'png', quantity: 2, unit_price: null, amount: null },
        ...['jpeg', 'webp', 'html', 'docx', 'xml'].map((unit) => ({ unit, quantity: 0 })),
        { unit: 'email', quantity: 1001, unit_price: '0.00075', amount: '0.75075' },
      ],
      total: '1.05075',
    });
  });

  it.each(['2026-13', '2026-00', '2026', 'November'])('rejects the period %s', async (period) => {
    const details = await rejected(`/v1/billing?period=${period}`);
    expect(details).toEqual([{ path: '/period', message: 'must be a month such as 2026-11' }]);
  });
});
