import type { WebhookDelivery, WebhookEndpoint } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { beforeEach, expect, it } from 'vitest';
import { aDelivery } from '../../testing/objects.ts';
import type { AttemptOutcome } from './delivery-status.ts';
import { DeliveryQueue } from './delivery-queue.ts';

const GRACE_MS = 1_000;

let clock: FakeClock;
/** Attempts that run until the test ends them, by delivery name. */
let begun: string[];
/** Payloads of deliveries that waited for an attempt. */
let payloads: Set<string>;
let running: Map<string, PromiseWithResolvers<AttemptOutcome | undefined>>;
let enqueued: string[];
let failing: Set<string>;
beforeEach(() => {
  clock = new FakeClock();
  begun = [];
  payloads = new Set();
  running = new Map();
  enqueued = [];
  failing = new Set();
});
function queueOf(concurrency: number, endpointConcurrency: number): DeliveryQueue {
  return new DeliveryQueue({
    config: { concurrency, endpointConcurrency },
    send: ({ metadata: { name }, spec }) => {
      begun.push(name);
      payloads.add(spec.event.payload);
      running.set(name, Promise.withResolvers());
      return running.get(name)!.promise;
    },
    health: { isFailing: ({ metadata }) => failing.has(metadata.uid) },
    clock,
    logger: { debug: () => undefined, warn: () => undefined },
    requests: { deliveries: { enqueue: ({ name }) => enqueued.push(name) } },
  });
}

/** Returns a delivery to the endpoint named before the dash. By default, each endpoint has its own account. */
function delivery(name: string, namespace = name.split('-')[0] ?? '', subject?: string): WebhookDelivery {
  const [uid = ''] = name.split('-');
  return aDelivery({
    metadata: { name, namespace, uid: `uid-${name}` },
    spec: {
      endpointRef: { name: 'account', uid },
      ...(subject !== undefined && { subject: { kind: 'Batch', name: subject, uid: subject }, sequence: 1 }),
    },
  });
}

const endpointOf = ({ spec: { endpointRef } }: WebhookDelivery) =>
  ({ metadata: { uid: endpointRef?.uid } }) as WebhookEndpoint;

const names = (endpoint: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${endpoint}-${index}`);

function addAll(queue: DeliveryQueue, deliveries: readonly WebhookDelivery[]): void {
  for (const each of deliveries) queue.add(each, endpointOf(each));
}

const add = (queue: DeliveryQueue, all: readonly string[], account?: string) =>
  addAll(
    queue,
    all.map((name) => delivery(name, account)),
  );

const attempt = (error?: AttemptOutcome['attempt']['error']): AttemptOutcome => ({
  attempt: { deliveryId: 'dlv-1', at: '2026-11-21T12:00:00Z', durationMs: 1, ...(error && { error }) },
});

async function end(name: string, outcome: AttemptOutcome | undefined = attempt()): Promise<void> {
  running.get(name)?.resolve(outcome);
  running.delete(name);
  await new Promise(setImmediate);
}

const FAILED = attempt({ code: 'timeout', message: 'why' });

it('starts two attempts to a new endpoint and more after the first success', async () => {
  const queue = queueOf(128, 4);
  add(queue, names('a', 8));
  expect(begun).toEqual(names('a', 2));
  await end('a-0');
  expect(begun).toEqual(names('a', 5));
  expect(payloads).toEqual(new Set(['']));
});

it('starts two attempts at a time while an endpoint fails and more when it recovers', async () => {
  const queue = queueOf(128, 4);
  add(queue, names('a', 12));
  await end('a-0');
  for (const name of names('a', 5).slice(1)) await end(name, FAILED);
  expect(queue.running).toBe(2);
  await end('a-5');
  expect(queue.running).toBe(4);
});

it('starts two attempts to an endpoint that failed before this process started', () => {
  failing.add('a');
  const queue = queueOf(128, 4);
  add(queue, names('a', 8));
  expect(begun).toHaveLength(2);
});

it('sends to other endpoints while one hangs', async () => {
  const queue = queueOf(128, 4);
  add(queue, names('hanging', 100), 'acme');
  await end('hanging-0');
  expect(queue.running).toBe(4);
  add(queue, ['other-0'], 'acme');
  expect(begun.at(-1)).toBe('other-0');
});

it('alternates between the endpoints of an account that is at its limit', async () => {
  const queue = queueOf(8, 2);
  for (const endpoint of ['a', 'b', 'c']) add(queue, names(endpoint, 4), 'acme');
  for (let ended = 0; ended < 12; ended += 1) await end(begun[ended]!);
  expect(begun).toHaveLength(12);
  // Once all three are waiting, each gets one turn in three.
  expect(new Set(begun.slice(2, 5).map((name) => name[0]))).toEqual(new Set(['a', 'b', 'c']));
  expect(new Set(begun.slice(5, 8).map((name) => name[0]))).toEqual(new Set(['a', 'b', 'c']));
});

it('alternates between accounts when all attempts are in use', async () => {
  const queue = queueOf(2, 2);
  for (const endpoint of ['a1', 'a2', 'a3']) add(queue, names(endpoint, 4), 'many');
  add(queue, ['x-0']);
  await end('a1-0');
  await end('a1-1');
  expect(begun).toContain('x-0');
});

it('leaves three quarters of all attempts to other accounts', async () => {
  const queue = queueOf(16, 4);
  for (let endpoint = 0; endpoint < 50; endpoint += 1) add(queue, names(`a${endpoint}`, 4), 'acme');
  expect(begun).toHaveLength(4);
  add(queue, names('x', 5));
  await end('x-0');
  expect(begun.slice(4)).toEqual(names('x', 5));
});

it('runs one attempt of a batch at a time, in order, and does not delay other events', async () => {
  const queue = queueOf(128, 4);
  addAll(
    queue,
    names('a', 3).map((name) => delivery(name, 'a', 'batch')),
  );
  add(queue, ['a-9']);
  expect(begun).toEqual(['a-0', 'a-9']);
  await end('a-0');
  await end('a-1');
  expect(begun).toEqual(['a-0', 'a-9', 'a-1', 'a-2']);
});

it('runs an attempt only once if it is added twice, and not at all if its delivery is forgotten first', async () => {
  const queue = queueOf(2, 1);
  add(queue, ['a-0', 'a-0', 'a-1', 'a-1']);
  queue.forget({ namespace: 'a', name: 'a-1' });
  await end('a-0');
  expect(begun).toEqual(['a-0']);
  add(queue, ['a-0']);
  expect(begun).toEqual(['a-0', 'a-0']);
});

it('keeps an outcome until it is recorded, and triggers a reconcile of the delivery', async () => {
  const queue = queueOf(2, 1);
  const one = delivery('a-0');
  add(queue, ['a-0']);
  expect(queue.stateOf(one)).toMatchObject({ sending: true, outcome: undefined });
  await end('a-0', FAILED);
  expect(queue.stateOf(one)).toMatchObject({ sending: false, outcome: FAILED });
  expect(enqueued).toEqual(['a-0']);
  queue.recorded(one);
  expect(queue.stateOf(one).outcome).toBeUndefined();
});

it('drops the outcome of a delivery that was replaced by another one with the same name', async () => {
  const queue = queueOf(2, 1);
  add(queue, ['a-0']);
  const other = delivery('a-0');
  const replaced = { ...other, metadata: { ...other.metadata, uid: 'another' } };
  expect(queue.stateOf(replaced).sending).toBe(false);
  await end('a-0');
  expect(queue.stateOf(replaced).outcome).toBeUndefined();
});

it('starts nothing after stop, which waits until attempts end and outcomes are recorded', async () => {
  const queue = queueOf(2, 1);
  add(queue, names('a', 2));
  let isStopped = false;
  const stopped = queue.stop(GRACE_MS).then(() => (isStopped = true));
  add(queue, ['b-0']);
  await end('a-0');
  expect(isStopped).toBe(false);
  queue.recorded(delivery('a-0'));
  await stopped;
  expect(begun).toEqual(['a-0']);
  expect(queue.running).toBe(0);
});
