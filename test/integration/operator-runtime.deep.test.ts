import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATE, withCondition, type Template } from '@trifold/crds';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { KubernetesClient, type ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller } from '@trifold/platform/kubernetes/controller/controller.ts';
import {
  EVENT,
  EventRecorder,
  type CoreEvent,
} from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { Informer, type InformerOptions } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import {
  kubeApiServerPrograms,
  startKubeApiServer,
  type KubeApiServer,
} from '../support/kubernetes/kube-apiserver.ts';
import { eventually } from '../support/eventually.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const namespace = 'default';
const DEADLINE = { timeout: 20_000 };

/** A connection to the server with a switch: it records requests, and can cut watches and keep them cut. */
class SwitchedTransport implements ApiTransport {
  readonly requests: ApiRequest[] = [];
  /** Called after each response to a list. */
  afterList: ((request: ApiRequest) => Promise<void>) | undefined;
  /** The next watch asks for the very first version, like a client that was away for a long time. */
  rewindNextWatch = false;
  readonly #inner: ApiTransport;
  readonly #open = new Set<AbortController>();
  #cut = false;

  constructor(inner: ApiTransport) {
    this.#inner = inner;
  }

  get lists(): ApiRequest[] {
    return this.requests.filter(({ method, query }) => method === 'GET' && !query?.['watch']);
  }

  get watches(): ApiRequest[] {
    return this.requests.filter(({ query }) => query?.['watch']);
  }

  cut(): void {
    this.#cut = true;
    for (const connection of this.#open) connection.abort(new Error('cut'));
    this.#open.clear();
  }

  join(): void {
    this.#cut = false;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    if (this.#cut) throw new Error('cut');
    if (!request.query?.['watch']) {
      const answer = await this.#inner.send(request);
      await this.afterList?.(request);
      return answer;
    }
    const connection = new AbortController();
    this.#open.add(connection);
    const signals = [connection.signal, ...(request.signal ? [request.signal] : [])];
    const query = { ...request.query, ...(this.rewindNextWatch && { resourceVersion: '1' }) };
    this.rewindNextWatch = false;
    return this.#inner.send({ ...request, query, signal: AbortSignal.any(signals) });
  }
}

describe.skipIf(!kubeApiServerPrograms())('Operator runtime on a real API server', () => {
  let server: KubeApiServer;
  let direct: HttpTransport;
  let templates: ResourceClient<Template>;
  let events: ResourceClient<CoreEvent>;
  let transport: SwitchedTransport;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startKubeApiServer();
    direct = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
    const client = new KubernetesClient(direct);
    templates = client.resource(TEMPLATE);
    events = client.builtin<CoreEvent>(EVENT);
  });

  afterAll(async () => {
    direct?.close();
    await server?.stop();
  });

  beforeEach(() => {
    transport = new SwitchedTransport(direct);
  });

  afterEach(async () => {
    for (const part of running.splice(0).toReversed()) await part.stop();
    for (const { metadata } of (await templates.list()).items)
      await templates.delete(namespace, metadata.name);
  });

  function informerOf(options: Partial<InformerOptions<Template>> = {}): Informer<Template> {
    const client = new KubernetesClient(transport).resource(TEMPLATE);
    const informer = new Informer<Template>({ client, clock: systemClock, logger, ...options });
    running.push(informer);
    informer.start();
    return informer;
  }

  const create = (name: string, html = '<p>ü€😀</p>') =>
    templates.create({ metadata: { namespace, name }, spec: { displayName: name, html } });

  const names = (informer: Informer<Template>) =>
    informer
      .list()
      .map(({ metadata }) => metadata.name)
      .toSorted();

  it('lists in pages and follows creation, change, deletion and recreation', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    const informer = informerOf({ pageSize: 2 });
    await informer.synced();
    expect(names(informer)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(transport.lists).toHaveLength(3);

    const first = informer.get(namespace, 'a');
    expect(first).toMatchObject({ kind: 'Template', apiVersion: 'trifold.dev/v1alpha1' });
    await templates.patch({ namespace, name: 'a' }, { spec: { displayName: 'ü€😀 changed' } });
    await eventually(() => expect(informer.get(namespace, 'a')?.spec.displayName).toBe('ü€😀 changed'));
    await templates.delete(namespace, 'a');
    const again = await create('a');
    await eventually(() => expect(informer.get(namespace, 'a')?.metadata.uid).toBe(again.metadata.uid));
    expect(again.metadata.uid).not.toBe(first?.metadata.uid);
    await templates.delete(namespace, 'a');
    await eventually(() => expect(names(informer)).toEqual(['b', 'c', 'd', 'e']));
    expect(transport.lists).toHaveLength(3);
    expect(transport.watches).toHaveLength(1);
  });

  it('confirms an idle cache at the configured interval without a list', async () => {
    const informer = informerOf({ maxWatchMs: 1000 });
    await informer.synced();
    await eventually(() => expect(transport.watches.length).toBeGreaterThan(3));
    const before = informer.confirmedAt ?? 0;
    await eventually(() => expect(informer.confirmedAt).toBeGreaterThan(before));
    expect(transport.lists).toHaveLength(1);
  });

  it('continues after a connection break without a list', async () => {
    const informer = informerOf();
    await informer.synced();
    await create('a');
    await eventually(() => expect(names(informer)).toEqual(['a']));
    transport.cut();
    await create('b');
    await templates.delete(namespace, 'a');
    transport.join();
    await eventually(() => expect(names(informer)).toEqual(['b']));
    expect(transport.lists).toHaveLength(1);
  });

  it('lists again after its version is compacted and reports missed deletions', async () => {
    await create('kept');
    await create('deleted');
    const rings: string[] = [];
    const informer = informerOf();
    informer.onChange(({ name }) =>
      rings.push(`${name} ${informer.get(namespace, name) ? 'there' : 'gone'}`),
    );
    await informer.synced();
    await eventually(() => expect(transport.watches.length).toBe(1));
    rings.splice(0);
    transport.cut();
    await templates.delete(namespace, 'deleted');
    await create('added');
    await server.compact();
    transport.rewindNextWatch = true;
    transport.join();
    await eventually(() => expect(names(informer)).toEqual(['added', 'kept']));
    expect(rings.toSorted()).toEqual(['added there', 'deleted gone']);
    expect(transport.lists).toHaveLength(2);
  });

  it('restarts a list that expired between two pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    transport.afterList = async (request) => {
      transport.afterList = undefined;
      expect(request.query?.['limit']).toBe('2');
      await create('f');
      await templates.delete(namespace, 'a');
      await server.compact();
    };
    const informer = informerOf({ pageSize: 2 });
    await informer.synced();
    expect(names(informer)).toEqual(['b', 'c', 'd', 'e', 'f']);
    expect(transport.lists.map(({ query }) => [query?.['limit'], query?.['continue'] !== undefined])).toEqual(
      [
        ['2', false],
        ['2', true],
        [undefined, false],
      ],
    );
  });

  it('retries while its token is invalid and uses a new token without a restart', async () => {
    const config = loadKubeConfig({ kubeconfig: server.kubeconfig });
    const user = config.getCurrentUser() as { token?: string };
    const { token } = user;
    user.token = 'expired';
    const rotating = new HttpTransport(config);
    transport = new SwitchedTransport(rotating);
    const informer = informerOf();
    try {
      const client = new KubernetesClient(rotating).resource(TEMPLATE);
      await expect(client.list()).rejects.toMatchObject({ code: 401, reason: 'Unauthorized' });
      await eventually(() => expect(transport.lists.length).toBeGreaterThan(1));
      expect(informer.hasSynced).toBe(false);
      // Like the token file of a service account, which the configuration reads again.
      if (token !== undefined) user.token = `${token}\n`;
      await informer.synced(AbortSignal.timeout(DEADLINE.timeout));
    } finally {
      await informer.stop();
      rotating.close();
    }
  });

  it('runs two controllers on the same objects until both are done, despite conflicts', async () => {
    const informer = informerOf();
    const makeController = (type: string) => {
      const controller = new Controller({
        name: type,
        concurrency: 4,
        clock: systemClock,
        logger,
        reconciler: {
          async reconcile({ name }) {
            const template = informer.get(namespace, name);
            if (!template) return;
            const conditions = template.status?.conditions;
            if (conditions?.some((condition) => condition.type === type)) return;
            const condition = { type, status: 'True', reason: 'Checked', message: '' } as const;
            const status = {
              ...template.status,
              conditions: withCondition(conditions, condition, new Date()),
            };
            await templates.replaceStatus({ ...template, status });
          },
        },
      }).watches(informer);
      running.push({ stop: () => controller.stop(5000) });
      controller.start();
    };
    makeController('One');
    makeController('Other');
    const all = Array.from({ length: 20 }, (_, index) => `t${index}`);
    await Promise.all(all.map((name) => create(name)));
    const complete = () =>
      informer
        .list()
        .filter(({ status }) => status?.conditions?.length === 2 && status.conditions.every(Boolean));
    await eventually(() => expect(complete().length).toBe(20));
  });

  it('returns a conflict for a write with an old version and names an invalid field', async () => {
    const old = await create('a');
    await templates.patch({ namespace, name: 'a' }, { spec: { displayName: 'changed' } });
    const replaced = templates.replace({ ...old, spec: { ...old.spec, displayName: 'mine' } });
    await expect(replaced).rejects.toSatisfy((error) => isApiError(error, 'Conflict'));
    const wrong = templates.patch({ namespace, name: 'a' }, { spec: { displayName: '' } });
    await expect(wrong).rejects.toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.displayName' }] },
    });
  });

  it('writes Events that the server accepts and counts repeats', async () => {
    const template = await create('a');
    const recorder = new EventRecorder({
      client: events,
      component: 'trifold-test',
      clock: systemClock,
      logger,
    });
    running.push(recorder);
    recorder.warn(template, 'DoesNotCompile', 'line 3, column 7');
    recorder.warn(template, 'DoesNotCompile', 'line 3, column 7');
    await recorder.flush();
    const fieldSelector = `involvedObject.uid=${template.metadata.uid}`;
    const { items } = await events.list({ namespace, fieldSelector });
    expect(items).toMatchObject([
      { type: 'Warning', reason: 'DoesNotCompile', message: 'line 3, column 7', count: 2 },
    ]);
  });
});
