import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { createGateway, type Gateway } from '@trifold/api-gateway/gateway.ts';
import { createControllers, type Controllers } from '@trifold/controller/controllers.ts';
import type { WebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import { CUSTOM_KINDS } from '@trifold/crds';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { systemClock, type Clock } from '@trifold/platform/async/clock.ts';
import { SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import { publishKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { WebhookKeys } from '@trifold/platform/records/webhooks/sealed-secret.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { listenHost } from '@trifold/platform/process/listen-host.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import { TakenTasksFile } from '@trifold/platform/render-queue/in-process/taken-tasks.ts';
import { Renderer } from '@trifold/renderer/renderer.ts';
import type { StandaloneConfig } from './config.ts';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { DataDirectory } from './data-directory.ts';
import { ensureFirstAccount, type GeneratedKeys } from './first-account.ts';
import { listening } from './listen-error.ts';

/** Time for in-flight renders to finish after a stop is requested; the whole stop takes at most 10 s. */
const RENDER_GRACE_MS = 6_000;
/** Minimum time for a render if in-flight requests have used up RENDER_GRACE_MS. */
const MIN_RENDER_GRACE_MS = 500;
const CONTROLLER_GRACE_MS = 1_000;

interface Parts {
  readonly directory: DataDirectory;
  readonly controlPlane: EmbeddedControlPlane;
  readonly takenTasks: TakenTasksFile;
  readonly queue: InProcessQueue;
  readonly renderer: Renderer;
  readonly checkPool: CheckPool;
  readonly controllers: Controllers;
  readonly gateway: Gateway;
}

interface Shown {
  readonly url: string;
  readonly signInLink: string;
  readonly generatedKeys: GeneratedKeys;
}

/** Cleanup steps for what has started, run in reverse order if the start fails. */
type Undo = (() => Promise<void> | void)[];

/** Shared dependencies of every part. */
interface Base {
  readonly config: StandaloneConfig;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly directory: DataDirectory;
  readonly store: DirectoryStore;
  readonly metrics: Metrics;
  readonly undo: Undo;
}

/** Additional dependencies of the gateway and controllers. */
interface Shared extends Base, Pick<Parts, 'queue' | 'checkPool'> {
  readonly kubernetes: KubernetesClient;
}

/** All parts of Trifold in one process: gateway, controller, renderer, control plane, queue and object store. */
export class Standalone {
  /** Address of the HTTP API, for example `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Path of the kubeconfig for the embedded control plane. */
  readonly kubeconfig: string;
  /** Link that signs in to the dashboard once, within 10 minutes. */
  readonly signInLink: string;
  /** Keys generated on this start, to be shown once. Empty on later starts. */
  readonly generatedKeys: GeneratedKeys;
  readonly kubernetes: KubernetesClient;
  readonly #parts: Parts;

  private constructor(shown: Shown, kubernetes: KubernetesClient, parts: Parts) {
    this.url = shown.url;
    this.kubeconfig = parts.directory.kubeconfig;
    this.signInLink = shown.signInLink;
    this.generatedKeys = shown.generatedKeys;
    this.kubernetes = kubernetes;
    this.#parts = parts;
  }

  /**
   * Starts the service and resolves when it can generate documents. Rejects with SetupError when the data
   * directory is in use, or with the error of the part that failed to start; in that case, nothing is left running.
   */
  static async start(
    config: StandaloneConfig,
    logger: Logger,
    clock: Clock = systemClock,
  ): Promise<Standalone> {
    const directory = await DataDirectory.open(config.process.dataDirectory);
    const undo: Undo = [() => directory.release()];
    try {
      const store = new DirectoryStore({ root: directory.objects, durability: config.process.durability });
      const base = { config, logger, clock, directory, store, metrics: new Metrics(), undo };
      return await Standalone.#start(base);
    } catch (error) {
      for (const step of undo.toReversed()) await Promise.resolve(step()).catch(() => undefined);
      throw error;
    }
  }

  static async #start(base: Base): Promise<Standalone> {
    const { config, clock, directory, undo } = base;
    const { queue, takenTasks, renderer } = createRenderer(base);
    // Browsers take the longest to start, so the other parts start in parallel.
    const browsersWarm = renderer.start();
    browsersWarm.catch(() => undefined);
    const controlPlane = await openControlPlane(base);
    const kubernetes = new KubernetesClient(controlPlane.transport);
    const checkPool = new CheckPool();
    undo.push(() => checkPool.stop());
    const shared = { ...base, kubernetes, queue, checkPool };
    const signInLinks = new SignInLinks(kubernetes, clock);
    const gateway = await openGateway(shared, renderer, signInLinks);
    const controllers = await openControllers(shared);
    await Promise.all([controllers.start(), browsersWarm]);
    const { host, port } = config.process;
    const listener = gateway.app.listen({ host: listenHost(host), port });
    await listening({ host, port, variable: 'TRIFOLD_PORT' }, listener);
    const url = addressOf(gateway, host);
    await writeFile(directory.urlFile, url, { mode: 0o600 });
    const signInLink = await signInLinks.create(url);
    // Done after every step that can fail: keys are shown once, and a failed start shows none. Until the gateway has
    // started, requests get 503; it starts with the keys that exist by then.
    const { presetKeys } = config.process;
    const generatedKeys = await ensureFirstAccount({ kubernetes, clock, presetKeys });
    await gateway.start();
    void renderer.warnOfMissingScripts();
    const parts = { directory, controlPlane, takenTasks, queue, renderer, checkPool, controllers, gateway };
    return new Standalone({ url, signInLink, generatedKeys }, kubernetes, parts);
  }

  /**
   * Accepts no new work, finishes in-flight work and ends within 10 s. Accepted jobs that are still unfinished continue
   * after the next start.
   */
  async stop(): Promise<void> {
    const { gateway, renderer, controllers, checkPool, queue, takenTasks, controlPlane, directory } =
      this.#parts;
    const asked = performance.now();
    // In-flight requests wait for documents that may still be queued, so the renderer keeps taking tasks until they
    // have a response.
    await gateway.close();
    const left = RENDER_GRACE_MS - (performance.now() - asked);
    await renderer.stop(Math.max(MIN_RENDER_GRACE_MS, left));
    await controllers.stop(CONTROLLER_GRACE_MS);
    await checkPool.stop();
    await queue.close();
    takenTasks.close();
    await controlPlane.close();
    directory.release();
  }
}

function createRenderer({ config, logger, clock, directory, store, metrics, undo }: Base) {
  const takenTasks = new TakenTasksFile(directory.takenTasksFile, logger);
  undo.push(() => takenTasks.close());
  const queue = new InProcessQueue({ clock, takenTasks });
  const storeOf = () => store;
  const renderer = new Renderer({ queue, storeOf, clock, logger, config: config.renderer, metrics });
  undo.push(() => renderer.stop(0));
  return { takenTasks, queue, renderer };
}

async function openControlPlane({
  config,
  logger,
  clock,
  directory,
  undo,
}: Base): Promise<EmbeddedControlPlane> {
  const { durability, kubePort } = config.process;
  const stored = { file: directory.controlPlaneFile, kinds: CUSTOM_KINDS, durability };
  const controlPlane = await EmbeddedControlPlane.open({ ...stored, clock, logger });
  undo.push(() => controlPlane.close());
  const address = { host: '127.0.0.1', port: kubePort };
  const { kubeconfig } = await listening(
    { ...address, variable: 'TRIFOLD_KUBE_PORT' },
    controlPlane.listen({ ...address, directory: directory.tlsDirectory }),
  );
  await writeFile(directory.kubeconfig, kubeconfig, { mode: 0o600 });
  return controlPlane;
}

async function openGateway(shared: Shared, renderer: Renderer, signInLinks: SignInLinks): Promise<Gateway> {
  const { config, directory, undo } = shared;
  const { sessionSecret = await directory.sessionSecret() } = config.gateway;
  const gateway = await createGateway({
    ...shared,
    config: { ...config.gateway, sessionSecret },
    previewRenderer: renderer.previews,
    hosts: ownHosts(config),
    signInLinks,
    checks: [{ name: 'renderer', check: () => checkReady(renderer) }],
  });
  undo.push(() => gateway.close());
  return gateway;
}

async function openControllers(shared: Shared): Promise<Controllers> {
  const { config, directory, kubernetes, undo } = shared;
  const webhooks = await withWebhookKey(config.controller.webhooks, directory, kubernetes);
  const controllers = createControllers({ ...shared, config: { ...config.controller, webhooks } });
  undo.push(() => controllers.stop(0));
  return controllers;
}

/** Publishes the webhook public key. */
async function withWebhookKey(
  webhooks: WebhooksConfig,
  directory: DataDirectory,
  kubernetes: KubernetesClient,
): Promise<WebhooksConfig> {
  const keys = webhooks.keys.length > 0 ? webhooks.keys : [await directory.webhookKey()];
  const key = await new WebhookKeys(keys).sealingKey();
  if (key) {
    // Controllers publish it in the background, and the gateway needs it from its first request on.
    await publishKey(kubernetes, webhooks.publishedKey, key);
  }
  return { ...webhooks, keys };
}

async function checkReady(renderer: Renderer): Promise<void> {
  if (!renderer.ready) throw new Error('no browser is ready');
}

function ownHosts({ process: { host, hosts }, gateway: { oidc } }: StandaloneConfig): string[] {
  return [hostname(), host, ...hosts, ...(oidc ? [oidc.publicUrl.hostname] : [])];
}

function addressOf(gateway: Gateway, host: string): string {
  const { port } = gateway.app.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
