import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATE, type Template } from '@trifold/crds';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { KubernetesClient, type ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
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

describe.skipIf(!kubeApiServerPrograms())('Informer on a real API server', () => {
  let server: KubeApiServer;
  let direct: HttpTransport;
  let templates: ResourceClient<Template>;
  let transport: SwitchedTransport;
  const running: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startKubeApiServer();
    direct = new HttpTransport(loadKubeConfig({ kubeconfig: server.kubeconfig }));
    const client = new KubernetesClient(direct);
    templates = client.resource(TEMPLATE);
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
});
