import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  GENERATION_JOB,
  NAMESPACE,
  newId,
  USAGE_REPORT,
  type GenerationJobSpec,
  type GenerationJobStatus,
  type KubernetesObject,
  type UsageReport,
  type UsageReportStatus,
} from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { emailTotalsKey, encodeEmailTotals } from '@trifold/platform/records/usage/email-totals.ts';
import { parseDecimal } from './decimal.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const TODAY = '2026-11-21';
const NO_DOCUMENTS = { pdf: 0, png: 0, html: 0, docx: 0 };

let clock: FakeClock;
let gateway: GatewayFixture;
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await GatewayFixture.start({ clock });
});
afterEach(async () => gateway.stop());

interface Usage {
  from: string;
  to: string;
  data: { date: string; documents: { live: { pdf: number }; test: { pdf: number } }; emails: number }[];
  total: { documents: { live: { pdf: number } }; emails: number };
}

async function usage(query = '', key = gateway.key): Promise<Usage> {
  const answer = await gateway.call('GET', `/v1/usage${query}`, { key });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Usage>();
}

async function refused(path: string): Promise<{ path: string; message: string }[]> {
  const answer = await gateway.call('GET', path);
  expect(answer.statusCode, answer.body).toBe(400);
  const body = answer.json<{ code: string; details: { path: string; message: string }[] }>();
  expect(body.code).toBe('invalid_request');
  return body.details;
}

async function finished(
  spec: Partial<GenerationJobSpec> = {},
  status: Partial<GenerationJobStatus> = {},
  account = 'acme',
) {
  const jobs = gateway.kubernetes.resource(GENERATION_JOB);
  const job = await jobs.create({
    metadata: { name: newId('gen', clock.now()), namespace: account },
    spec: { templateRef: { name: 'invoice' }, data: {}, ...spec },
  });
  const done = { phase: 'Completed' as const, pages: 2, size: 1000, ...status };
  return jobs.replaceStatus({ ...job, status: done });
}

async function report(day: string, status: UsageReportStatus, account = 'acme') {
  const reports = gateway.kubernetes.resource(USAGE_REPORT);
  const made = await reports.create({ metadata: { name: day, namespace: account }, spec: { day } });
  return reports.replaceStatus({ ...made, status });
}

/** Returns the uid of the account's current namespace. */
async function uidOf(account: string): Promise<string> {
  const namespaces = gateway.kubernetes.builtin<KubernetesObject>(NAMESPACE);
  return (await namespaces.get(undefined, account)).metadata.uid;
}

const compile = (key = gateway.key) =>
  gateway.call('POST', '/v1/emails/compile', {
    key,
    body: { template: { engine: 'handlebars-html', subject: 'Hi', html: '<p>Hi</p>' }, data: {} },
  });

describe('GET /v1/usage', () => {
  it('returns the month so far, day by day, with zeros for days without work', async () => {
    const answer = await usage();
    expect([answer.from, answer.to, answer.data.length]).toEqual(['2026-11-01', TODAY, 21]);
    const nothing = { failed: 0, pages: 0, bytes: 0, batches: 0, emails: 0 };
    const documents = { live: NO_DOCUMENTS, test: NO_DOCUMENTS };
    expect(answer.data[0]).toEqual({ date: '2026-11-01', documents, ...nothing });
    expect(answer.total).toEqual({ documents, ...nothing });
  });

  it('counts finished work at once, by mode, and nothing of other accounts', async () => {
    await finished();
    await finished({ mode: 'test' });
    await finished({}, { phase: 'Failed', error: { code: 'print_failed', message: 'why' } });
    await finished({}, { phase: 'Processing' });
    await finished({}, {}, 'other');
    const { data, total } = await usage();
    const counted = {
      documents: { live: { ...NO_DOCUMENTS, pdf: 1 }, test: { ...NO_DOCUMENTS, pdf: 1 } },
      failed: 1,
      pages: 4,
      bytes: 2000,
    };
    expect(data.at(-1)).toMatchObject({ date: TODAY, ...counted });
    expect(total).toMatchObject(counted);
  });

  it('counts work only once when it is in the report and still exists', async () => {
    const { metadata } = await finished();
    await finished();
    const pending = [{ uid: metadata.uid, kind: 'GenerationJob', name: metadata.name }];
    await report(TODAY, { documents: { live: { pdf: 5, docx: 1 } }, pages: 9, pending, pendingCount: 1 });
    const { total } = await usage();
    expect(total).toMatchObject({ documents: { live: { pdf: 6, docx: 1 } }, pages: 11 });
  });

  it('sums days into months, and only the requested days', async () => {
    for (const day of ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'])
      await report(day, { documents: { live: { pdf: 1 } } });
    const { data, total } = await usage('?from=2026-10-01&to=2026-11-21&granularity=month');
    expect(data.map(({ date, documents }) => [date, documents.live.pdf])).toEqual([
      ['2026-10', 2],
      ['2026-11', 1],
    ]);
    expect(total.documents.live.pdf).toBe(3);
    expect((await usage('?to=2026-10-15')).data).toHaveLength(15);
    expect((await usage('?from=2026-10-31&to=2026-10-31')).total.documents.live.pdf).toBe(1);
  });

  it('counts compiled emails of every gateway at once, for live and test keys', async () => {
    await compile();
    await compile(await gateway.mint({ mode: 'test' }, true));
    expect((await usage()).total.emails).toBe(2);
    const totals = encodeEmailTotals(
      new Map([
        [await uidOf('acme'), { live: 7, test: 0 }],
        [await uidOf('other'), { live: 1, test: 0 }],
      ]),
    );
    await gateway.store.put(emailTotalsKey(TODAY, 'gw-of-a-process-that-died'), totals);
    expect((await usage()).total.emails).toBe(9);
    expect((await usage('', gateway.otherKey)).total.emails).toBe(1);
  });

  it('skips email counts that it cannot read', async () => {
    const unreadable = [
      '',
      '[]',
      '{"accounts": {"x": null}}',
      '{"accounts": {"x": {"live": -1, "test": 0}}}',
    ];
    await compile();
    for (const [index, content] of unreadable.entries()) {
      await gateway.store.put(emailTotalsKey(TODAY, `gw-${index}`), content);
      expect((await usage()).total.emails, content).toBe(1);
      expect((await gateway.call('GET', '/v1/billing')).statusCode, content).toBe(200);
    }
  });

  it('takes the emails of a closed day only from the report', async () => {
    await report('2026-11-19', { emails: { live: 4, test: 1 }, emailsCounted: true });
    const totals = encodeEmailTotals(new Map([[await uidOf('acme'), { live: 7, test: 0 }]]));
    await gateway.store.put(emailTotalsKey('2026-11-19', 'gw-late'), totals);
    expect((await usage()).total.emails).toBe(5);
  });

  it('stays correct when work is counted and deleted during the read', async () => {
    const jobs = gateway.kubernetes.resource(GENERATION_JOB);
    const reports = gateway.kubernetes.resource(USAGE_REPORT);
    let current = await report(TODAY, { documents: { live: { pdf: 0 } }, pendingCount: 0 });
    const names: string[] = [];
    for (let made = 0; made < 40; made += 1) names.push((await finished()).metadata.name);
    let done = 0;
    const counting = (async () => {
      for (const name of names) {
        const { metadata } = await jobs.get('acme', name);
        const count = (done += 1);
        const pending = [{ uid: metadata.uid, kind: 'GenerationJob', name }];
        current = await reports.replaceStatus({
          ...current,
          status: { documents: { live: { pdf: count } }, pending },
        });
        await jobs.delete('acme', name);
        current = await reports.replaceStatus({
          ...current,
          status: { documents: { live: { pdf: count } } },
        });
      }
    })();
    const seen = new Set<number>();
    while (done < names.length) {
      const answer = await gateway.call('GET', '/v1/usage');
      if (answer.statusCode === 503) expect(answer.headers['retry-after']).toBe('1');
      else seen.add(answer.json<Usage>().total.documents.live.pdf);
    }
    await counting;
    seen.add((await usage()).total.documents.live.pdf);
    expect(seen).toEqual(new Set([names.length]));
  });

  it('returns 503 with Retry-After, not a wrong sum, when counts change during every read', async () => {
    await gateway.stop();
    let isCounting = false;
    let current: UsageReport | undefined;
    gateway = await GatewayFixture.start({
      clock,
      intercept: (inner) => ({
        send: async (request) => {
          const answer = await inner.send(request);
          const isWork = request.path.endsWith('/namespaces/acme/generationjobs');
          if (!isCounting || !isWork || !current) return answer;
          const reports = gateway.kubernetes.resource(USAGE_REPORT);
          const live = (current.status?.documents?.live?.pdf ?? 0) + 1;
          current = await reports.replaceStatus({
            ...current,
            status: { documents: { live: { pdf: live } } },
          });
          return answer;
        },
      }),
    });
    current = await report(TODAY, { documents: { live: { pdf: 1 } } });
    isCounting = true;
    for (const path of ['/v1/usage', '/v1/billing']) {
      const answer = await gateway.call('GET', path);
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
      expect(answer.json()).toMatchObject({ code: 'unavailable' });
    }
    isCounting = false;
    expect((await usage()).total.documents.live.pdf).toBe(current.status?.documents?.live?.pdf);
  });

  it('reads only reports for a period that ended long ago', async () => {
    await gateway.stop();
    const lists: string[] = [];
    gateway = await GatewayFixture.start({
      clock,
      intercept: (inner) => ({
        send: async (request) => {
          if (request.path.includes('/namespaces/acme/')) lists.push(request.path.split('/').at(-1) ?? '');
          return inner.send(request);
        },
      }),
    });
    await report('2026-11-13', { documents: { live: { pdf: 3 } }, emails: { live: 2 }, emailsCounted: true });
    await report('2026-11-14', { documents: { live: { pdf: 4 } } });
    await finished();
    lists.length = 0;
    const { total } = await usage('?to=2026-11-13');
    expect([total.documents.live.pdf, total.emails]).toEqual([3, 2]);
    expect(lists).toEqual(['usagereports']);
    expect((await usage('?from=2026-11-13&to=2026-11-14')).total.documents.live.pdf).toBe(7);
    expect(lists).toContain('generationjobs');
  });

  it('reads batches in small pages, because each can contain a hundred items', async () => {
    await gateway.stop();
    const limits = new Map<string, unknown>();
    gateway = await GatewayFixture.start({
      clock,
      intercept: (inner) => ({
        send: async (request) => {
          const { fieldSelector, limit } = request.query ?? {};
          if (fieldSelector?.includes('status.phase'))
            limits.set(request.path.split('/').at(-1) ?? '', limit);
          return inner.send(request);
        },
      }),
    });
    limits.clear();
    await usage();
    expect(Object.fromEntries(limits)).toMatchObject({ generationjobs: '500', batches: '50' });
  });

  it.each([
    ['?from=2026-02-30', '/from', 'is no day of the calendar'],
    ['?to=21.11.2026', '/to', 'must be a day such as 2026-11-21'],
    ['?from=2026-11-02&to=2026-11-01', '/from', 'must not be after to, 2026-11-01'],
    ['?from=2026-12-01', '/from', 'must not be after today, 2026-11-21'],
    ['?from=2025-11-20&to=2026-11-21', '/from', 'must be at most 366 days before to; it is 367'],
    [
      '?from=2023-11-01&to=2026-11-21&granularity=month',
      '/from',
      'must be at most 36 months before to; it is 37',
    ],
    ['?granularity=year', '/granularity', 'must be one of day, month'],
    ['?period=2026-11', '/period', 'is not a known member'],
  ])('rejects %s', async (query, path, message) => {
    expect(await refused(`/v1/usage${query}`)).toEqual([{ path, message }]);
  });

  it('names both invalid days', async () => {
    const details = await refused('/v1/usage?from=2026-13-01&to=0000-00-00');
    expect(details.map(({ path }) => path)).toEqual(['/from', '/to']);
  });

  it('requires the scope usage:read', async () => {
    const key = await gateway.mint({ scopes: ['templates:read'] }, true);
    for (const path of ['/v1/usage', '/v1/billing']) {
      const answer = await gateway.call('GET', path, { key });
      expect([answer.statusCode, answer.json()]).toMatchObject([401, { missingScopes: ['usage:read'] }]);
    }
  });
});

describe('GET /v1/billing', () => {
  it('returns what live keys used this month, without amounts for units without a price', async () => {
    await finished();
    await finished({ mode: 'test' });
    await finished({}, { phase: 'Failed' });
    await compile();
    await report('2026-10-31', { documents: { live: { pdf: 100 } } });
    const answer = await gateway.call('GET', '/v1/billing');
    const unpriced = { unit_price: null, amount: null };
    expect(answer.json()).toEqual({
      period: '2026-11',
      from: '2026-11-01',
      to: '2026-11-30',
      currency: null,
      units: [
        { unit: 'pdf', quantity: 1, ...unpriced },
        { unit: 'png', quantity: 0, ...unpriced },
        { unit: 'html', quantity: 0, ...unpriced },
        { unit: 'docx', quantity: 0, ...unpriced },
        { unit: 'email', quantity: 1, ...unpriced },
      ],
      total: null,
    });
  });

  it('returns exact amounts for units with a price', async () => {
    await gateway.stop();
    const units = { pdf: parseDecimal('0.1')!, email: parseDecimal('0.00075')! };
    gateway = await GatewayFixture.start({ clock, config: { prices: { currency: 'EUR', units } } });
    await report('2026-02-28', { documents: { live: { pdf: 3 } }, emails: { live: 1001 } });
    await report('2026-02-01', { documents: { live: { png: 2 }, test: { pdf: 50 } }, emails: { test: 9 } });
    const answer = await gateway.call('GET', '/v1/billing?period=2026-02');
    expect(answer.json()).toMatchObject({
      to: '2026-02-28',
      currency: 'EUR',
      units: [
        { unit: 'pdf', quantity: 3, unit_price: '0.1', amount: '0.3' },
        { unit: 'png', quantity: 2, unit_price: null, amount: null },
        { unit: 'html' },
        { unit: 'docx' },
        { unit: 'email', quantity: 1001, unit_price: '0.00075', amount: '0.75075' },
      ],
      total: '1.05075',
    });
  });

  it.each(['2026-13', '2026-00', '2026', 'November'])('rejects the period %s', async (period) => {
    const details = await refused(`/v1/billing?period=${period}`);
    expect(details).toEqual([{ path: '/period', message: 'must be a month such as 2026-11' }]);
  });
});
