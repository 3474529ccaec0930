import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, expect, onTestFinished } from 'vitest';
import {
  CUSTOM_KINDS,
  GENERATION_JOB,
  NAMESPACE,
  SCOPES,
  type GenerationJob,
  type KeyMode,
  type KubernetesObject,
  type Scope,
  type SealedSecret,
} from '@trifold/crds';
import type { GatewayDependencies } from '../api.ts';
import { loadGatewayConfig, type GatewayConfig } from '../config.ts';
import { createGateway, type Gateway } from '../gateway.ts';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import { SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import { publishKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock, type Clock } from '@trifold/platform/async/clock.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { createLogger, type Logger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { DocumentedResponses } from '@trifold/test-support/documented-responses.ts';

export interface FixtureOptions {
  readonly clock?: Clock;
  readonly config?: Partial<GatewayConfig>;
  /** Wraps the transport between the gateway and the API server. */
  readonly intercept?: (transport: ApiTransport) => ApiTransport;
  readonly log?: (line: string) => void;
  /** Stopped with the fixture. @default a pool with the limits of the service */
  readonly checkPool?: CheckPool;
  /** @default none */
  readonly previewRenderer?: PreviewRenderer;
  /** @default any name */
  readonly hosts?: readonly string[];
  /** Whether a controller has published the webhook key. @default true */
  readonly publishesKey?: boolean;
  /** Whether sign-in links work. @default false */
  readonly hasSignInLinks?: boolean;
}

/** A gateway with its own control plane and two accounts. The test decides how jobs finish. */
export class GatewayFixture {
  readonly gateway: Gateway;
  readonly kubernetes: KubernetesClient;
  readonly store: DirectoryStore;
  readonly clock: Clock;
  readonly config: GatewayConfig;
  readonly checkPool: CheckPool;
  /** Live key with all scopes in account `acme`. */
  key = '';
  /** Live key with all scopes in account `other`. */
  otherKey = '';
  readonly #webhookKeys = new WebhookKeys(['key-of-the-controller-of-the-tests']);
  readonly #documented = new WeakMap<Gateway, DocumentedResponses>();
  readonly #undo: (() => Promise<unknown>)[];
  readonly #dependencies: Omit<GatewayDependencies, 'metrics'>;

  private constructor(
    gateway: Gateway,
    dependencies: Omit<GatewayDependencies, 'metrics'>,
    trusted: KubernetesClient,
    undo: (() => Promise<unknown>)[],
  ) {
    this.gateway = gateway;
    this.kubernetes = trusted;
    this.store = dependencies.store as DirectoryStore;
    this.clock = dependencies.clock;
    this.config = dependencies.config;
    this.checkPool = dependencies.checkPool;
    this.#dependencies = dependencies;
    this.#undo = undo;
  }

  static async start(options: FixtureOptions = {}): Promise<GatewayFixture> {
    const clock = options.clock ?? systemClock;
    const logger = testLogger(options.log);
    const root = await mkdtemp(join(tmpdir(), 'trifold-gateway-'));
    const store = new DirectoryStore({ root });
    const planeOptions = { file: ':memory:', kinds: CUSTOM_KINDS, clock, logger };
    const controlPlane = await EmbeddedControlPlane.open(planeOptions);
    const { transport } = controlPlane;
    const { checkPool = new CheckPool() } = options;
    const kubernetes = new KubernetesClient(options.intercept?.(transport) ?? transport);
    const dependencies = {
      kubernetes,
      store,
      checkPool,
      clock,
      logger,
      config: { ...loadGatewayConfig({}), ...options.config },
      previewRenderer: options.previewRenderer,
      hosts: options.hosts,
      ...(options.hasSignInLinks === true && { signInLinks: new SignInLinks(kubernetes, clock) }),
    };
    const gateway = await createGateway({ ...dependencies, metrics: new Metrics() });
    const undo = [
      async () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
      async () => controlPlane.close(),
      async () => checkPool.stop(),
      async () => gateway.close(),
    ];
    const fixture = new GatewayFixture(gateway, dependencies, new KubernetesClient(transport), undo);
    if (options.publishesKey !== false) await fixture.publishKey();
    await ensureAccount(fixture.kubernetes, 'acme');
    await ensureAccount(fixture.kubernetes, 'other');
    fixture.key = await fixture.mint({});
    fixture.otherKey = await fixture.mint({ account: 'other' });
    await gateway.start();
    return fixture;
  }

  /** Starts a gateway for all tests in the file. */
  static async shared(options: FixtureOptions = {}): Promise<GatewayFixture> {
    const fixture = await GatewayFixture.start(options);
    afterAll(async () => fixture.stop());
    return fixture;
  }

  /** Starts a gateway for the calling test; it can also be called in `beforeEach`. */
  static async forTest(options: FixtureOptions = {}): Promise<GatewayFixture> {
    const fixture = await GatewayFixture.start(options);
    onTestFinished(async () => fixture.stop());
    return fixture;
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    for (const step of this.#undo.splice(0).toReversed()) await step();
  }

  /** Publishes the webhook key as the controller does. */
  async publishKey(): Promise<void> {
    const key = await this.#webhookKeys.sealingKey();
    await publishKey(this.kubernetes, this.config.publishedKey, key!);
  }

  /** Opens an endpoint's sealed secret as the controller does. */
  async opened(account: string, endpoint: string, sealed?: SealedSecret): Promise<string | undefined> {
    const namespaces = this.kubernetes.builtin<KubernetesObject>(NAMESPACE);
    const { uid: accountUid } = (await namespaces.get(undefined, account)).metadata;
    return sealed && this.#webhookKeys.open(sealed, { accountUid, endpoint });
  }

  /** Starts another gateway with the same control plane and store; `changes` replace its dependencies. */
  async startAnother(changes: Partial<GatewayDependencies> = {}): Promise<Gateway> {
    const gateway = await this.another(changes);
    await gateway.start();
    return gateway;
  }

  /** Creates another gateway that is not started. */
  async another(changes: Partial<GatewayDependencies> = {}): Promise<Gateway> {
    const gateway = await createGateway({ ...this.#dependencies, metrics: new Metrics(), ...changes });
    this.#undo.push(async () => gateway.close());
    return gateway;
  }

  async mint(
    wanted: { account?: string; scopes?: readonly Scope[]; mode?: KeyMode },
    known = false,
  ): Promise<string> {
    const { account = 'acme', scopes = SCOPES, mode = 'live' } = wanted;
    const request = { account, name: 'test', scopes, mode };
    const { key } = await mintKey(this.kubernetes, request, this.clock.now());
    if (known) {
      await eventually(async () => {
        const response = await this.call('GET', '/v1/nothing-here', { key });
        const probe = await this.call('GET', '/v1/templates', { key });
        return response.statusCode === 404 && probe.json<{ code?: string }>().code !== 'invalid_key';
      });
    }
    return key;
  }

  /** Injects a request into the application; encodes the body as JSON unless it is already a string. */
  async call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD' | 'PUT' | 'OPTIONS',
    url: string,
    options: { key?: string; body?: unknown; headers?: Record<string, string>; gateway?: Gateway } = {},
  ) {
    const { key = this.key, body, headers = {}, gateway = this.gateway } = options;
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const request: InjectOptions = {
      method,
      url,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: isRaw ? body : JSON.stringify(body) }),
    };
    const response = await gateway.app.inject(request);
    this.#expectDocumented(gateway, { method, url }, response);
    return response;
  }

  /** Returns the value of one of the gateway's metrics, named with its labels. */
  async metric(name: string): Promise<number> {
    const lines = (await this.call('GET', '/metrics')).body.split('\n');
    const line = lines.find((each) => each.startsWith(`trifold_gateway_${name} `));
    return Number(line?.split(' ').at(-1));
  }

  /** Every response in every test must match the OpenAPI document. */
  #expectDocumented(
    gateway: Gateway,
    { method, url }: { method: string; url: string },
    { statusCode, headers, body }: LightMyRequestResponse,
  ): void {
    const documented = this.#documented.get(gateway) ?? new DocumentedResponses(gateway.app.swagger());
    this.#documented.set(gateway, documented);
    const problems = documented.problemsOf({
      method,
      path: url,
      status: statusCode,
      header: (name) => headers[name.toLowerCase()]?.toString(),
      text: body,
    });
    expect(problems, `${method} ${url}\n${body.slice(0, 1000)}`).toEqual([]);
  }

  /** Creates a template and returns its ID. */
  async template(members: Record<string, unknown> = {}, key = this.key): Promise<string> {
    const body = { name: 'Letter', html: '<p>Dear {{name}}</p>', ...members };
    const response = await this.call('POST', '/v1/templates', { body, key });
    if (response.statusCode !== 201) throw new Error(`no template: ${response.body}`);
    return response.json<{ id: string }>().id;
  }

  /** Sends a request for a document without waiting for it, and returns its job. */
  async job(body: object, headers: Record<string, string> = {}): Promise<GenerationJob> {
    const request = { body: { data: {}, async: true, ...body }, headers };
    const response = await this.call('POST', '/v1/generate', request);
    if (response.statusCode !== 202) throw new Error(`no document: ${response.body}`);
    return this.kubernetes.resource(GENERATION_JOB).get('acme', response.json<{ id: string }>().id);
  }
}

function testLogger(write: ((line: string) => void) | undefined): Logger {
  if (!write) return createLogger({ name: 'test', level: 'silent' });
  return createLogger({ name: 'test', level: 'info', destination: { write } });
}
