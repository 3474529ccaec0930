import { afterEach, expect, it } from 'vitest';
import { deliveryEntryOf } from './delivery-view.ts';
import type { CacheLimits } from '../../server/fresh-list/account-caches.ts';
import { DeliveryLog } from './delivery-log.ts';
import {
  newId,
  RETRY_ANNOTATION,
  WEBHOOK_DELIVERY,
  type Draft,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
} from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const AT = Date.UTC(2026, 10, 20, 12);
const ROW_BYTES = BOUNDS.listedDeliveries.limit.value;

const gateway = await GatewayFixture.shared();
const { kubernetes } = gateway;
const logs: DeliveryLog[] = [];
afterEach(async () => {
  for (const log of logs.splice(0)) await log.stop();
});

/** Whether a request lists all deliveries of an account. */
const isWholeList = ({ path, query = {} }: ApiRequest) =>
  path.endsWith('/webhookdeliveries') && query['watch'] === undefined && query['limit'] !== '1';

function openLog(before: (request: ApiRequest) => Promise<void>, limits?: CacheLimits): DeliveryLog {
  const client = new KubernetesClient(intercepting(before)(kubernetes.transport));
  const log = new DeliveryLog(client, systemClock, logger, limits);
  logs.push(log);
  return log;
}

const resources = () => kubernetes.resource(WEBHOOK_DELIVERY);
const draft = (namespace: string, name: string, second = 0): Draft<WebhookDelivery> => {
  const createdAt = new Date(AT + second * 1000).toISOString();
  return {
    metadata: { name, namespace, annotations: { note: 'NOT SHOWN' } },
    spec: {
      event: { id: 'evt-1', type: 'batch.completed', createdAt, payload: '{"a":"NOT SHOWN"}' },
      endpointRef: { name: 'account', uid: 'NOT SHOWN' },
      subject: { kind: 'Batch', name: 'bat-1', uid: 'NOT SHOWN' },
    },
  };
};
const timedName = (second: number) => newId('whd', new Date(AT + second * 1000));
const fill = async (account: string, count: number) => {
  await ensureAccount(kubernetes, account);
  for (let index = 0; index < count; index++) await resources().create(draft(account, timedName(index)));
};
const entriesOf = async (log: DeliveryLog, account: string) =>
  (await log.list(account)).map(({ entry }) => deliveryEntryOf(entry));

it('limits the cached deliveries of all accounts and evicts the least recently read account', async () => {
  const reads: string[] = [];
  const log = openLog(
    async (request) => {
      if (isWholeList(request)) reads.push(request.path.split('/').at(-2) ?? '');
    },
    { accounts: 100, bytes: 10 * ROW_BYTES },
  );
  for (const account of ['one', 'two', 'three']) await fill(account, 4);
  await fill('large', 20);
  for (const account of ['one', 'two', 'one', 'two']) expect(await log.list(account)).toHaveLength(4);
  expect(reads).toEqual(['one', 'two']);
  for (const account of ['three', 'two', 'three']) expect(await log.list(account)).toHaveLength(4);
  expect(reads).toEqual(['one', 'two', 'three']);
  expect(await log.list('one')).toHaveLength(4);
  expect(reads).toEqual(['one', 'two', 'three', 'one']);
  // It is shown although it alone exceeds the cache limit.
  for (let read = 0; read < 2; read++) expect(await log.list('large')).toHaveLength(20);
  expect(reads).toEqual(['one', 'two', 'three', 'one', 'large']);
  await log.list('three');
  expect(reads).toEqual(['one', 'two', 'three', 'one', 'large', 'three']);
});

it('reports different errors for an eviction during a read and for a shutdown', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const log = openLog(
    async (request) => {
      if (isWholeList(request) && request.path.includes('/slow/')) await released;
    },
    { accounts: 2, bytes: 1000 * ROW_BYTES },
  );
  const slow = log.list('slow').catch((error: unknown) => error);
  for (const account of ['one', 'two']) await log.list(account);
  expect(await slow).toMatchObject({
    code: 'unavailable',
    message: 'Too many delivery logs are loading. Try again in a moment.',
    headers: { 'retry-after': '1' },
  });
  release();
  expect(await log.list('slow')).toEqual([]);
  const stopped = openLog(async () => new Promise(() => undefined));
  const waiting = stopped.list('one').catch((error: unknown) => error);
  await stopped.stop();
  expect(await waiting).toMatchObject({ code: 'unavailable', message: 'The service is stopping.' });
});

it('keeps the order of a newly read log after every change', async () => {
  await fill('acme', 20);
  const log = openLog(async () => undefined);
  await log.list('acme');
  const equal = async () => {
    const anew = await entriesOf(
      openLog(async () => undefined),
      'acme',
    );
    await eventually(async () => {
      return JSON.stringify(await entriesOf(log, 'acme')) === JSON.stringify(anew);
    });
    return anew;
  };
  const names = (await equal()).map(({ id }) => id);
  const [newest = '', , third = ''] = names;
  const oldest = names.at(-1) ?? '';
  const tell = async (name: string, status: WebhookDeliveryStatus) =>
    resources().patchStatus({ namespace: 'acme', name }, { status });
  for (const name of [newest, third, oldest]) await tell(name, { phase: 'Delivered', attemptCount: 1 });
  await equal();
  for (const name of [newest, oldest]) await resources().delete('acme', name);
  await equal();
  for (const second of [-1, 7, 100]) await resources().create(draft('acme', timedName(second), second));
  await equal();
  for (const second of [5, 200]) await resources().create(draft('acme', `by-hand-${second}`, second));
  await equal();
  await resources().delete('acme', 'by-hand-5');
  await resources().create(draft('acme', 'by-hand-5', 12));
  expect(await equal()).toHaveLength(23);
});

it('stores only the fields that lists show', async () => {
  await ensureAccount(kubernetes, 'acme');
  const error = { code: 'http_error', message: 'NOT SHOWN' };
  const failed: WebhookDeliveryStatus = {
    phase: 'Failed',
    attemptCount: 7,
    lastError: error,
    attempts: [{ deliveryId: 'NOT SHOWN', at: new Date(AT).toISOString(), durationMs: 1, error }],
  };
  const retry = (name: string) => ({
    ...draft('acme', name),
    metadata: { name, namespace: 'acme', annotations: { [RETRY_ANNOTATION]: '1', note: 'NOT SHOWN' } },
  });
  const nextAttemptAt = new Date(AT + 60_000).toISOString();
  for (const [made, status] of [
    [draft('acme', 'new'), undefined],
    [draft('acme', timedName(1)), { phase: 'Pending', attemptCount: 1, nextAttemptAt }],
    [draft('acme', timedName(2)), failed],
    [retry('asked'), failed],
    [retry('heeded'), { ...failed, retry: '1' }],
    [draft('acme', 'x'.repeat(253)), { ...failed, lastError: { code: 'x'.repeat(64), message: '' } }],
  ] as const) {
    const { name } = (await resources().create(made)).metadata;
    if (status) await resources().patchStatus({ namespace: 'acme', name }, { status });
  }
  const log = openLog(async () => undefined);
  const whole = (await resources().list({ namespace: 'acme' })).items.map(deliveryEntryOf);
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  expect((await entriesOf(log, 'acme')).toSorted(byId)).toEqual(whole.toSorted(byId));
  const rows = (await log.list('acme')).map(({ entry }) => JSON.stringify(entry));
  expect(rows.join()).not.toContain('NOT SHOWN');
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(ROW_BYTES);
});
