import { NAMESPACE, USAGE_REPORT, type KubernetesObject } from '@trifold/crds';
import {
  emailTotalsKey,
  emailTotalsPrefix,
  encodeEmailTotals,
} from '@trifold/platform/records/usage/email-totals.ts';
import { statusResponse } from '@trifold/platform/kubernetes/testing/model-api.ts';
import { readAsOf } from '@trifold/platform/records/usage/stored-totals.ts';
import { usageOfReport } from '@trifold/platform/records/usage/usage-counters.ts';
import { describe, expect, it } from 'vitest';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { itSurvivesEachStep } from '../testing/crashing-process.ts';
import { ControllerFixture } from '../testing/controller-fixture.ts';

const TODAY = '2026-11-21';
const HOUR_MS = 3_600_000;

const fixture = ControllerFixture.forEachTest();

/** Writes a gateway's totals so far. */
async function gatewaySays(gateway: string, live: number, uid?: string): Promise<void> {
  const body = encodeEmailTotals(new Map([[uid ?? (await uidOf('default')), { live, test: 1 }]]));
  await fixture.store.put(emailTotalsKey(TODAY, gateway), body);
}

async function uidOf(account: string): Promise<string> {
  const namespaces = fixture.kubernetes.builtin<KubernetesObject>(NAMESPACE);
  const made = await namespaces.find(undefined, account);
  return (made ?? (await namespaces.create({ metadata: { name: account } }))).metadata.uid;
}

const reports = () => fixture.kubernetes.resource(USAGE_REPORT);

async function emails() {
  const report = await reports().find('default', TODAY);
  return report && { ...usageOfReport(report).emails, isClosed: report.status?.emailsCounted };
}

/** Advances the clock in ten-second steps until the reports are confirmed to be correct as of a later time. */
async function untilUpdated(): Promise<void> {
  const now = fixture.clock.now().getTime();
  await fixture.clock.passUntil(10_000, async () => Date.parse((await readAsOf(fixture.store)) ?? '') > now);
}

async function objectsLeft(): Promise<number> {
  return (await fixture.store.list(emailTotalsPrefix(TODAY))).objects.length;
}

/** Moves the clock to the time at which the day's count becomes final, and then until the day is closed. */
async function untilClosed(over: () => boolean = () => false): Promise<void> {
  fixture.clock.advance(36 * HOUR_MS);
  const isClosed = async () => (await objectsLeft()) === 0 && (await emails())?.isClosed === true;
  await fixture.clock.passUntil(300_000, async () => over() || isClosed(), { intervalMs: 5 });
}

describe('Email counts for a day', () => {
  it("appear in the report within seconds, follow the gateways' counts, and do not cause requests while unchanged", async () => {
    await gatewaySays('gw-1', 3);
    await gatewaySays('gw-2', 4);
    const { transport } = await fixture.boot();
    await eventually(async () => (await emails())?.live === 7);
    await gatewaySays('gw-1', 10);
    await untilUpdated();
    expect((await emails())?.live).toBe(14);
    const requests = () => transport.requests.filter(({ path }) => path.includes('usagereports/')).length;
    const before = requests();
    for (let passed = 0; passed < 3; passed += 1) await untilUpdated();
    expect(requests()).toBe(before);
    expect(await emails()).toEqual({ live: 14, test: 2, isClosed: false });
    expect(await objectsLeft()).toBe(2);
  });

  it("are final a day after its end, and the gateways' objects are deleted", async () => {
    await gatewaySays('gw-1', 3);
    await fixture.boot();
    await untilClosed();
    expect(await emails()).toEqual({ live: 3, test: 1, isClosed: true });
    await gatewaySays('gw-1', 3);
    await fixture.clock.passUntil(300_000, async () => (await objectsLeft()) === 0);
    expect(await emails()).toEqual({ live: 3, test: 1, isClosed: true });
  });

  itSurvivesEachStep('are counted once if the controller dies at any step', async (process) => {
    await fixture.renew();
    await gatewaySays('gw-1', 3);
    await gatewaySays('gw-2', 4);
    await fixture.boot({ wrap: process.wrap, dead: () => process.dead });
    await untilClosed(() => process.dead);
    await fixture.boot();
    await untilClosed();
    expect(await emails()).toEqual({ live: 7, test: 2, isClosed: true });
  });

  it('continue for other accounts after an account is deleted', async () => {
    const transport = intercepting(({ method, path }) =>
      method === 'POST' && path.includes('/namespaces/gone/') ? statusResponse(404, 'NotFound') : undefined,
    );
    await gatewaySays('gw-1', 3, await uidOf('gone'));
    await gatewaySays('gw-2', 4);
    await fixture.boot({ wrap: { transport } });
    await untilClosed();
    expect(await emails()).toMatchObject({ live: 4 });
  });
});

it('a rejected report for one account does not delay other accounts and keeps its day open', async () => {
  const others = ['first', 'second', 'third', 'fourth', 'fifth'];
  for (const account of ['default', ...others]) await gatewaySays(account, 3, await uidOf(account));
  const service = await fixture.boot();
  const isRejected = (path: string) => path.includes('/namespaces/first/');
  service.transport.fault = ({ method, path }) =>
    method === 'PUT' && isRejected(path) ? statusResponse(403, 'Forbidden') : undefined;
  const closed = async () => (await reports().list({})).items.filter(({ status }) => status?.emailsCounted);
  fixture.clock.advance(36 * HOUR_MS);
  await fixture.clock.passUntil(300_000, async () => (await closed()).length === others.length);
  expect((await closed()).map(({ metadata }) => metadata.namespace)).not.toContain('first');
  expect(await objectsLeft()).toBe(others.length + 1);
  service.transport.fault = undefined;
  await untilClosed();
  expect(await closed()).toHaveLength(others.length + 1);
});

it('a report that changed since it was read is read again and written once more', async () => {
  await gatewaySays('gw-1', 3);
  const service = fixture.prepare();
  let writes = 0;
  service.transport.fault = ({ method, path }) => {
    if (method !== 'PUT' || !path.includes('usagereports')) return undefined;
    writes += 1;
    return writes === 1 ? statusResponse(409, 'Conflict') : undefined;
  };
  await service.controllers.start();
  await eventually(async () => (await emails())?.live === 3);
  expect(writes).toBe(2);
});

it('an unreadable object does not delay any account and keeps its day open until it is gone', async () => {
  await gatewaySays('gw-1', 3);
  const key = emailTotalsKey(TODAY, 'gw-of-somebody');
  await fixture.store.put(key, '{"accounts": {"x": null}}');
  const service = await fixture.boot();
  await eventually(async () => (await emails())?.live === 3);
  expect(await service.metrics.render()).toMatch(/trifold_controller_unreadable_email_counts_total [1-9]/);
  fixture.clock.advance(48 * HOUR_MS);
  await gatewaySays('gw-1', 5);
  await fixture.clock.passUntil(300_000, async () => (await emails())?.live === 5);
  expect(await emails()).toMatchObject({ isClosed: false });
  expect(await objectsLeft()).toBe(2);
  await fixture.store.delete(key);
  await untilClosed();
  expect(await emails()).toEqual({ live: 5, test: 1, isClosed: true });
});

it('a report excludes emails from a former account with the same name', async () => {
  await gatewaySays('gw-1', 3, '6f0f1f3c-0000-4000-8000-000000000000');
  await gatewaySays('gw-2', 4);
  await fixture.boot();
  await eventually(async () => (await emails())?.live === 4);
  await untilClosed();
  expect(await emails()).toEqual({ live: 4, test: 1, isClosed: true });
});

it('Usage report retention keeps the reports for the current month and the previous 25 months', async () => {
  for (const day of ['2024-09-30', '2024-10-01', '2026-11-20'])
    await reports().create({ metadata: { name: day, namespace: 'default' }, spec: { day } });
  await fixture.boot();
  const names = async () => (await reports().list()).items.map(({ metadata }) => metadata.name);
  await eventually(async () => (await names()).length === 2);
  expect(await names()).toEqual(['2024-10-01', '2026-11-20']);
});
