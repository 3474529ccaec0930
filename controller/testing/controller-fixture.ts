import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import { loadControllerConfig, type ControllerConfig } from '../config.ts';
import { createControllers, type Controllers } from '../controllers.ts';
import type { Outbound } from '../context.ts';
import { renderInto } from './scripted-renderer.ts';
import {
  BATCH,
  batchItemKey,
  batchItemsPrefix,
  CUSTOM_KINDS,
  dataKey,
  documentKeyOfId,
  GATEWAY_LABEL,
  GENERATION_JOB,
  isFinished,
  newId,
  TEMPLATE,
  USAGE_REPORT,
  type Batch,
  type BatchSpec,
  type GenerationJob,
  type GenerationJobSpec,
  type TemplateSpec,
} from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ApiRequest, ApiResponse, ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { revisionOf, RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const logger = createLogger({ level: process.env['TRIFOLD_TEST_LOG'] ?? 'silent', name: 'test' });

export type Render = (task: RenderTask, signal: AbortSignal) => Promise<RenderOutcome>;

/** State that outlives every process: the API server, the object store and the clock. */
export class ControllerFixture {
  clock!: FakeClock;
  store!: ObjectStore;
  transport!: ApiTransport;
  kubernetes!: KubernetesClient;
  checkPool!: CheckPool;
  #root = '';
  #services: Service[] = [];
  #close!: () => Promise<void>;

  private constructor() {}

  /** Returns a fixture that is created anew for each test in the file. */
  static forEachTest(): ControllerFixture {
    const fixture = new ControllerFixture();
    beforeEach(() => fixture.#create());
    afterEach(() => fixture.destroy());
    return fixture;
  }

  /** Creates a fixture around an embedded control plane, whose clock is also stopped. */
  static async create(): Promise<ControllerFixture> {
    const fixture = new ControllerFixture();
    await fixture.#create();
    return fixture;
  }

  /** Creates a fixture around a running API server, which has its own clock. */
  static over(transport: ApiTransport): ControllerFixture {
    const fixture = new ControllerFixture();
    fixture.#start(transport, new FakeClock(new Date()), async () => undefined);
    return fixture;
  }

  /** Discards all state and starts again. */
  async renew(checkPool?: CheckPool): Promise<void> {
    await this.destroy();
    await this.#create(checkPool);
  }

  async #create(checkPool?: CheckPool): Promise<void> {
    const clock = new FakeClock();
    const options = { file: ':memory:', kinds: CUSTOM_KINDS, clock, logger };
    const plane = await EmbeddedControlPlane.open(options);
    this.#start(plane.transport, clock, () => plane.close(), checkPool);
  }

  #start(transport: ApiTransport, clock: FakeClock, close: () => Promise<void>, checkPool = new CheckPool()) {
    this.clock = clock;
    this.checkPool = checkPool;
    this.transport = transport;
    this.#close = close;
    this.#services = [];
    this.kubernetes = new KubernetesClient(transport);
    this.#root = mkdtempSync(join(tmpdir(), 'trifold-controller-'));
    this.store = new DirectoryStore({ root: this.#root });
  }

  /** The object store's directory, for a renderer in another process. */
  get storeRoot(): string {
    return this.#root;
  }

  async destroy(): Promise<void> {
    // A crashed process hangs forever in its last call, so there is nothing to stop.
    const living = this.#services.filter((service) => !service.dead);
    for (const service of living) service.abandonWork();
    const stopped = Promise.all(living.map((service) => service.stop()));
    await this.#timePassesUntil(stopped);
    await this.checkPool.stop();
    await this.#close();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #timePassesUntil(done: Promise<unknown>): Promise<void> {
    const passing = setInterval(() => this.clock.advance(1000), 5);
    await done.finally(() => clearInterval(passing));
  }

  /** Starts a controller and a renderer with their own queue, as in a single process. */
  async boot(options: ServiceOptions = {}): Promise<Service> {
    const service = this.prepare(options);
    await service.controllers.start();
    return service;
  }

  /** Creates a controller and a renderer without starting them. */
  prepare(options: ServiceOptions = {}): Service {
    const service = new Service(this, options);
    this.#services.push(service);
    return service;
  }

  get jobs() {
    return this.kubernetes.resource(GENERATION_JOB);
  }

  get batches() {
    return this.kubernetes.resource(BATCH);
  }

  get reports() {
    return this.kubernetes.resource(USAGE_REPORT);
  }

  get templates() {
    return this.kubernetes.resource(TEMPLATE);
  }

  async template(spec: Partial<TemplateSpec> = {}, name = 'invoice') {
    return this.templates.create({
      metadata: { name, namespace: 'default' },
      spec: { displayName: 'Invoice', html: '<p>{{number}}</p>', ...spec },
    });
  }

  /**
   * Creates a batch as the gateway does, with one item per entry of the data; everything is validated and stored
   * beforehand.
   */
  async batch(
    data: readonly unknown[],
    spec: Partial<BatchSpec> = {},
    name = newId('bat', this.clock.now()),
  ): Promise<Batch> {
    const prefix = batchItemsPrefix('default', name) ?? 'items/';
    const bodies = data.map((item) => JSON.stringify(item));
    for (const [index, body] of bodies.entries()) {
      await this.store.put(dataKey(batchItemKey(prefix, index)), body, { contentType: 'application/json' });
    }
    const items = { itemsRef: { prefix, size: bodies.join('').length }, total: bodies.length };
    return this.batches.create({
      metadata: { name, namespace: 'default' },
      spec: { ...(await this.#pinned()), ...items, ...spec },
    });
  }

  /** Waits for the batch to finish without advancing the clock. */
  finishedBatch(name: string): Promise<Batch> {
    return untilFinished(() => this.batches.find('default', name));
  }

  /** Creates a job as a gateway that waits for it would; everything is validated and stored beforehand. */
  async gatewayJob(spec: Partial<GenerationJobSpec> = {}): Promise<GenerationJob> {
    const name = newId('gen', this.clock.now());
    const data = spec.dataRef === undefined && { data: { number: 'R-17' } };
    return this.jobs.create({
      metadata: { name, namespace: 'default', labels: { [GATEWAY_LABEL]: 'gw-1' } },
      spec: { ...(await this.#pinned()), ...data, ...spec },
    });
  }

  /** Stores the revision of a template. Returns the gateway's record of the template, and the key. */
  async #pinned() {
    const content = { displayName: 'Invoice', html: '<p>{{number}}</p>' };
    const revision = revisionOf(content, content);
    await new RevisionStore(this.store).ensure('default', revision, this.clock.now());
    return { templateRef: { name: 'invoice' }, revision: revision.sha256, version: 1, keyId: 'key-1' };
  }

  /** Creates a handwritten job. */
  async kubectlJob(name: string, spec: Partial<GenerationJobSpec> = {}): Promise<GenerationJob> {
    const templateRef = spec.template ? {} : { templateRef: { name: 'invoice' } };
    return this.jobs.create({
      metadata: { name, namespace: 'default' },
      spec: { ...templateRef, data: { number: 'R-17' }, ...spec },
    });
  }

  find(name: string): Promise<GenerationJob | undefined> {
    return this.jobs.find('default', name);
  }

  /** Waits for the job to finish without advancing the clock. */
  finished(name: string): Promise<GenerationJob> {
    return untilFinished(() => this.find(name));
  }

  /** Returns the file key of a job that the gateway created. */
  documentKey(name: string): string {
    return documentKeyOfId('default', name) ?? '';
  }
}

function untilFinished<R extends Batch | GenerationJob>(find: () => Promise<R | undefined>): Promise<R> {
  const finished = async (): Promise<Batch | GenerationJob | false> => {
    const work = await find();
    return work && isFinished(work) ? work : false;
  };
  return eventually(finished, { intervalMs: 5 }) as Promise<R>;
}

export interface ServiceOptions {
  /** Whether the process has died. */
  readonly dead?: () => boolean;
  readonly render?: Render;
  readonly config?: Partial<ControllerConfig>;
  /** Client that sends webhooks; without it, no server on this machine is reachable. */
  readonly outbound?: Outbound;
  /** @default 0, as for a queue in a cluster: all data goes through the store */
  readonly carriedDataBytes?: number;
  /** Wraps the process's connections to the outside. */
  readonly wrap?: {
    transport?: (transport: ApiTransport) => ApiTransport;
    store?: (store: ObjectStore) => ObjectStore;
    queue?: (queue: RenderQueue) => RenderQueue;
  };
}

/** One process: the controllers, and a renderer controlled by the test. */
export class Service {
  readonly controllers: Controllers;
  readonly queue: InProcessQueue;
  readonly transport: FaultyTransport;
  readonly metrics = new Metrics();
  readonly tasks: RenderTask[] = [];
  readonly #dead: () => boolean;

  constructor(fixture: ControllerFixture, options: ServiceOptions) {
    const { wrap = {} } = options;
    this.#dead = options.dead ?? (() => false);
    const store = wrap.store?.(fixture.store) ?? fixture.store;
    const render: Render = options.render ?? ((task) => renderInto(store, task, fixture.clock.now()));
    const { carriedDataBytes = 0 } = options;
    this.queue = new InProcessQueue({ clock: fixture.clock, carriedDataBytes });
    this.transport = new FaultyTransport(fixture.transport);
    this.controllers = createControllers({
      kubernetes: new KubernetesClient(wrap.transport?.(this.transport) ?? this.transport),
      store,
      queue: wrap.queue?.(this.queue) ?? this.queue,
      checkPool: fixture.checkPool,
      clock: fixture.clock,
      logger,
      config: { ...loadControllerConfig({}), ...options.config },
      metrics: this.metrics,
      ...(options.outbound && { outbound: options.outbound }),
    });
    this.queue.work(
      (task, signal) => {
        this.tasks.push(task);
        return render(task, signal);
      },
      { concurrency: 2 },
    );
  }

  get dead(): boolean {
    return this.#dead();
  }

  /** Returns the status writes for that job, in order. */
  statusWrites(name: string): GenerationJob['status'][] {
    return this.#statusWrites<GenerationJob['status']>(`/generationjobs/${name}/status`);
  }

  /** Returns the status writes for that batch, in order. */
  batchWrites(name: string): Batch['status'][] {
    return this.#statusWrites<Batch['status']>(`/batches/${name}/status`);
  }

  #statusWrites<S>(path: string): S[] {
    return this.transport.requests
      .filter((request) => request.method === 'PUT' && request.path.endsWith(path))
      .map(({ body }) => (JSON.parse(body ?? '{}') as { status: S }).status);
  }

  /** Blocks all requests to the API server, so that stopping does not wait for it. */
  abandonWork(): void {
    this.transport.dead = true;
  }

  async stop(): Promise<void> {
    await this.controllers.stop(0);
  }
}

type Fault = (request: ApiRequest) => ApiResponse | Error | undefined;

/** Forwards and records requests, and can inject faults: reject requests, cut watches, or die. */
export class FaultyTransport implements ApiTransport {
  readonly requests: ApiRequest[] = [];
  /** Response or error from the test that replaces the server's. */
  fault: Fault | undefined;
  dead = false;
  readonly #inner: ApiTransport;
  readonly #watches = new Set<AbortController>();

  constructor(inner: ApiTransport) {
    this.#inner = inner;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** Ends every open watch, as a lost connection would. */
  cutWatches(): void {
    for (const watch of this.#watches) watch.abort(new Error('the connection was lost'));
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (this.dead) throw new Error('the process is dead');
    this.requests.push(request);
    const fault = this.fault?.(request);
    if (fault instanceof Error) throw fault;
    if (fault) return fault;
    return request.query?.['watch'] === 'true' ? this.#watch(request) : this.#inner.send(request);
  }

  async #watch(request: ApiRequest): Promise<ApiResponse> {
    const cut = new AbortController();
    const signal = AbortSignal.any([cut.signal, ...(request.signal ? [request.signal] : [])]);
    const response = await this.#inner.send({ ...request, signal });
    this.#watches.add(cut);
    const body = addAbortSignal(signal, Readable.from(response.body));
    body.on('error', () => undefined).once('close', () => this.#watches.delete(cut));
    return { ...response, body };
  }
}
