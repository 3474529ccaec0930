import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger, type Logger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { Metrics } from '../../process/metrics.ts';
import { KubernetesApiError } from '../client/api-error.ts';
import { ResourceClient } from '../client/client.ts';
import {
  controllerMetrics,
  Controller,
  TerminalError,
  type ControllerOptions,
  type ReconcileResult,
} from './controller.ts';
import { Informer } from '../cache/informer.ts';
import { ModelApi, THING, type Thing } from '../testing/model-api.ts';
import { formatKey, type ObjectKey } from '../client/object-key.ts';

let clock: FakeClock;
let log: Record<string, unknown>[];
let logger: Logger;
/** Keys of the reconcile requests, in order. */
let requests: string[];
let started: Controller[];

beforeEach(() => {
  clock = new FakeClock();
  log = [];
  requests = [];
  started = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) };
  logger = createLogger({ level: 'debug', name: 'test', destination });
});

afterEach(() => Promise.all(started.map((controller) => controller.stop(0))));

type Behaviour = (request: ObjectKey, signal: AbortSignal) => Promise<ReconcileResult> | ReconcileResult;

function controllerOf(behaviour: Behaviour, options: Partial<ControllerOptions> = {}): Controller {
  const reconcile = async (request: ObjectKey, signal: AbortSignal) => {
    requests.push(formatKey(request.namespace, request.name));
    return behaviour(request, signal);
  };
  return new Controller({
    name: 'things',
    reconciler: { reconcile },
    concurrency: 1,
    clock,
    logger,
    random: () => 0,
    ...options,
  });
}

/** Starts a controller, which is stopped at the end of the test, and enqueues the object. */
function begin(behaviour: Behaviour): Controller {
  const controller = controllerOf(behaviour);
  started.push(controller);
  controller.start();
  controller.enqueue(key);
  return controller;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

async function elapse(milliseconds: number): Promise<void> {
  await settle();
  clock.advance(milliseconds);
  await settle();
}

function conflict(): KubernetesApiError {
  return new KubernetesApiError({ code: 409, reason: 'Conflict', message: 'the object has been modified' });
}

const key = { namespace: 'default', name: 'a' };

describe('The result of a reconcile', () => {
  it('nothing: the controller waits until the object changes', async () => {
    begin(() => {});
    await elapse(10 * 60_000);
    expect(requests).toEqual(['default/a']);
    expect(clock.pending).toBe(0);
  });

  it.each<[string, Behaviour]>([
    ['a delay', () => ({ requeueAfterMs: 3000 })],
    [
      'an error with Retry-After',
      () => {
        throw new KubernetesApiError({ code: 429, reason: 'TooManyRequests' }, { retryAfterMs: 3000 });
      },
    ],
  ])('%s: the controller reconciles again after it and no sooner', async (_what, behaviour) => {
    begin(behaviour);
    await elapse(2999);
    expect(requests).toHaveLength(1);
    await elapse(1);
    expect(requests).toHaveLength(2);
  });

  it('an error: the controller retries with growing delays and logs it under err', async () => {
    begin(() => {
      throw new Error('no luck');
    });
    const counts: number[] = [];
    for (const delay of [0, 5, 10, 20, 40]) {
      await elapse(delay);
      counts.push(requests.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5]);
    expect(log).toHaveLength(5);
    expect(log[0]).toMatchObject({
      level: 'error',
      controller: 'things',
      namespace: 'default',
      err: { message: 'no luck' },
      msg: 'reconcile failed, retrying',
    });
  });

  it.each([
    ['success', undefined],
    ['a terminal error', new TerminalError('hopeless')],
  ])('%s after errors: the backoff resets', async (_what, end) => {
    const failure = new Error('no luck');
    const outcomes = [failure, failure, failure, end, failure];
    const controller = begin(() => {
      const error = outcomes.shift();
      if (error) throw error;
    });
    for (const delay of [0, 5, 10, 20]) await elapse(delay);
    expect(requests).toHaveLength(4);
    controller.enqueue(key);
    await settle();
    await elapse(5);
    expect(requests).toHaveLength(6);
  });

  it('a conflict: the controller retries without logging an error', async () => {
    begin(() => Promise.reject(conflict()));
    for (const delay of [5, 10]) await elapse(delay);
    expect(requests).toHaveLength(3);
    expect(log.filter((line) => line['level'] !== 'debug')).toEqual([]);
  });

  it('a terminal error: the controller logs it and waits until the object changes', async () => {
    const controller = begin(() => {
      throw new TerminalError('the spec cannot be read');
    });
    await elapse(60 * 60_000);
    expect(requests).toHaveLength(1);
    expect(log).toMatchObject([{ level: 'error', err: { message: 'the spec cannot be read' } }]);
    controller.enqueue(key);
    await settle();
    expect(requests).toHaveLength(2);
  });

  it('a thrown value that is not an Error: the controller retries as it does for an error', async () => {
    begin(() => Promise.reject('a text'));
    await elapse(5);
    expect(requests).toHaveLength(2);
  });
});

it('Concurrent reconciles run up to the concurrency, each for a different object', async () => {
  const gates = new Map<string, () => void>();
  const controller = controllerOf(
    ({ name }) => new Promise<void>((resolve) => void gates.set(name, resolve)),
    { concurrency: 2 },
  );
  controller.start();
  for (const name of ['a', 'a', 'b', 'c']) controller.enqueue({ namespace: 'default', name });
  await settle();
  expect(requests).toEqual(['default/a', 'default/b']);
  controller.enqueue({ namespace: 'default', name: 'a' });
  await settle();
  expect(requests).toHaveLength(2);
  gates.get('a')?.();
  await settle();
  expect(requests).toEqual(['default/a', 'default/b', 'default/c']);
  gates.get('b')?.();
  await settle();
  // Requested during its reconcile, so it is reconciled again afterwards.
  expect(requests).toEqual(['default/a', 'default/b', 'default/c', 'default/a']);
  for (const open of gates.values()) open();
  await controller.stop(1000);
});

describe('Controller.stop', () => {
  it('waits for active reconciles and starts no new ones', async () => {
    const gate = Promise.withResolvers<void>();
    const controller = begin(() => gate.promise);
    controller.enqueue({ namespace: 'default', name: 'b' });
    await settle();
    let stopped = false;
    const stopping = controller.stop(5000).then(() => {
      stopped = true;
    });
    await elapse(4999);
    expect(stopped).toBe(false);
    gate.resolve();
    await stopping;
    controller.enqueue(key);
    await settle();
    expect(requests).toEqual(['default/a']);
    expect(clock.pending).toBe(0);
  });

  it('aborts the signal after the grace period and does not log an error for it', async () => {
    const controller = begin(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    await settle();
    const stopping = controller.stop(5000);
    await elapse(5000);
    await stopping;
    expect(log).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('returns even if a reconcile ignores its signal', async () => {
    const controller = controllerOf(() => new Promise(() => {}));
    controller.start();
    controller.enqueue(key);
    await settle();
    const stopping = controller.stop(5000);
    await elapse(5000);
    await elapse(1000);
    await stopping;
    expect(log).toMatchObject([{ level: 'warn' }]);
  });

  it('returns immediately if the informers are not synced yet, and removes its listeners from them', async () => {
    const listeners = new Set<unknown>();
    const controller = controllerOf(() => {}).watches({
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      keys: () => [],
      synced: (signal) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
        ),
    });
    controller.start();
    expect(listeners.size).toBe(1);
    await controller.stop(1000);
    expect(listeners.size).toBe(0);
    expect(log).toEqual([]);
  });

  it('does nothing before start and makes a later start do nothing', async () => {
    const controller = controllerOf(() => {});
    await controller.stop(0);
    controller.start();
    controller.enqueue(key);
    await settle();
    expect(requests).toEqual([]);
  });
});

describe('A controller with informers', () => {
  function informerOf(api: ModelApi): Informer<Thing> {
    return new Informer<Thing>({ client: new ResourceClient<Thing>(api, THING), clock, logger });
  }

  it('reconciles nothing until all are synced, then all objects, then changes', async () => {
    const first = new ModelApi();
    const second = new ModelApi();
    first.put('a');
    second.put('b');
    const informers = [informerOf(first), informerOf(second)];
    const controller = controllerOf(() => {});
    for (const informer of informers) controller.watches(informer);
    controller.start();
    informers[0]?.start();
    await settle();
    expect(requests).toEqual([]);
    informers[1]?.start();
    await settle();
    expect(requests.toSorted()).toEqual(['default/a', 'default/b']);
    first.put('c');
    second.delete('b');
    await settle();
    expect(requests.slice(2).toSorted()).toEqual(['default/b', 'default/c']);
    await controller.stop(0);
    await Promise.all(informers.map((informer) => informer.stop()));
  });

  it('reconciles requests from the map function, which may throw, even for objects cached before the start', async () => {
    const api = new ModelApi();
    api.put('job-1');
    api.put('bad');
    const informer = informerOf(api);
    const controller = controllerOf(() => {}).watches(informer, ({ name }) => {
      if (name === 'bad') throw new Error('cannot map');
      return [
        { namespace: 'default', name: 'owner' },
        { namespace: 'default', name: `${name}-twin` },
      ];
    });
    informer.start();
    await informer.synced();
    controller.start();
    await settle();
    expect(requests).toEqual(['default/owner', 'default/job-1-twin']);
    api.put('job-2');
    await settle();
    expect(requests.slice(2)).toEqual(['default/owner', 'default/job-2-twin']);
    await controller.stop(0);
    await informer.stop();
  });
});

it('the controller reports outcomes and queue length as metrics', async () => {
  const metrics = new Metrics();
  const gate = Promise.withResolvers<void>();
  const controller = controllerOf(
    async ({ name }) => {
      if (name === 'slow') await gate.promise;
      if (name === 'conflict') throw conflict();
      if (name === 'broken') throw new TerminalError('broken');
      return name === 'later' ? { requeueAfterMs: 60_000 } : undefined;
    },
    { metrics: controllerMetrics(metrics) },
  );
  for (const name of ['good', 'conflict', 'broken', 'later', 'slow', 'good', 'other']) {
    controller.enqueue({ namespace: 'default', name });
  }
  controller.start();
  await settle();
  const text = await metrics.render();
  for (const result of ['success', 'conflict', 'terminal_error', 'requeue_after']) {
    expect(text).toContain(`trifold_controller_reconcile_total{controller="things",result="${result}"} 1`);
  }
  expect(text).toContain('trifold_controller_queue_length{controller="things"} 1');
  expect(text).toContain('trifold_controller_reconcile_duration_seconds_count{controller="things"} 4');
  gate.resolve();
  await controller.stop(1000);
});
