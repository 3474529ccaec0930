import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ImageFormat } from '@trifold/crds';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { PresignedStore } from '@trifold/platform/object-store/port.ts';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { SystemResolver } from '@trifold/platform/outbound/resolver.ts';
import { RunningAccounts } from '@trifold/platform/scheduling/running-accounts.ts';
import type { QueueWorker, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { DEFAULT_BROWSER_LIMITS } from './browser/pool/browser-limits.ts';
import { BrowserPool } from './browser/pool/browser-pool.ts';
import { LazyBrowserPool } from './browser/pool/lazy-browser-pool.ts';
import { connectBrowser, type Browser, type BrowserLauncher } from './browser/process/browser.ts';
import type { BrowserKind } from './browser/process/browser-flags.ts';
import { RemoteLauncher } from './browser/launcher/remote-launcher.ts';
import type { DocumentPermissions } from './browser/page/document-requests.ts';
import { localLauncher } from './browser/process/sandbox.ts';
import type { RendererConfig } from './config.ts';
import { DocxWriter } from './formats/docx/docx-writer.ts';
import { HtmlWriter } from './formats/html-writer.ts';
import { PdfWriter } from './formats/pdf-writer.ts';
import { ImageWriter } from './formats/image-writer.ts';
import { findMissingScripts, FontCoverage } from './glyphs/font-coverage.ts';
import { EVERYDAY_SCRIPTS } from './glyphs/unicode-scripts.ts';
import { allowedResources } from './network/allowed-resources.ts';
import { MergePool } from './merge/merge-pool.ts';
import { RenderTasks } from './task/render-task.ts';
import { withMetrics } from './task/renderer-metrics.ts';
import { ActiveTasks } from './task/active-tasks.ts';

export interface RendererOptions {
  readonly queue: RenderQueue;
  /** Returns a task's objects. */
  readonly storeOf: (task: RenderTask) => PresignedStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: RendererConfig;
  readonly metrics?: Metrics;
  /**
   * Whether PDF previews get a dedicated, on-demand browser, so that they do not wait for documents.
   * @default false
   */
  readonly previewBrowser?: boolean;
}

/** Time allowed after a deadline for killing a browser, starting another one and cleaning up. */
const STUCK_AFTER_MS = 60_000;

/** Idle time after which a browser that was started on demand is stopped. */
const BROWSER_IDLE_MS = 5 * 60_000;

/** Maximum time for which the font check occupies a browser. */
const SCRIPTS_TIMEOUT_MS = 30_000;
/** Not a valid namespace name. */
const NO_ACCOUNT = '';

/** Takes tasks from the queue and renders them. Uses the queue and the objects of its tasks, but not Kubernetes. */
export class Renderer {
  /** Renders previews. Call this only while the renderer is `ready`. */
  readonly previews: PreviewRenderer;
  readonly #options: RendererOptions;
  readonly #merging: MergePool;
  readonly #browsers: BrowserPool;
  /** Started on demand. */
  readonly #pictureBrowsers: LazyBrowserPool;
  readonly #previewBrowsers: LazyBrowserPool | undefined;
  readonly #docx: DocxWriter;
  readonly #fonts: FontCoverage;
  readonly #tasks: RenderTasks;
  readonly #activeTasks: ActiveTasks;
  #worker: QueueWorker | undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: RendererOptions) {
    const { config, storeOf, clock, logger } = options;
    this.#options = options;
    this.#activeTasks = new ActiveTasks(clock);
    this.#merging = new MergePool({
      workers: config.browsers,
      timeoutMs: config.mergeTimeoutMs,
      maxBytes: config.maxMergedBytes,
      scripts: config.templateScripts === 'on',
    });
    const pools = createPools(options);
    this.#browsers = pools.browsers;
    this.#pictureBrowsers = pools.pictures;
    this.#previewBrowsers = pools.previews;
    this.#docx = new DocxWriter(this.#pictureBrowsers);
    this.#fonts = new FontCoverage(() => this.#findMissingScripts(), logger);
    const image = (format: ImageFormat) => new ImageWriter(format, this.#pictureBrowsers, this.#fonts);
    const writers = {
      pdf: new PdfWriter(this.#browsers, this.#fonts),
      png: image('png'),
      jpeg: image('jpeg'),
      webp: image('webp'),
      html: new HtmlWriter(),
      docx: this.#docx,
    };
    const { maxOutputBytes } = config;
    const common = { storeOf, clock, logger, merging: this.#merging, maxOutputBytes };
    this.#tasks = new RenderTasks({ ...common, writers });
    const pdf = new PdfWriter(this.#previewBrowsers ?? this.#browsers, this.#fonts);
    const previews = new RenderTasks({ ...common, writers: { ...writers, pdf } });
    this.previews = limitedPreviews(this.#activeTasks.observing(previews.preview));
  }

  /**
   * Starts the browsers, prints a warm-up page on each, and starts taking tasks. Rejects with SetupError or
   * BrowserLaunchError, after stopping everything.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** Whether the renderer is taking tasks and at least one browser is running. */
  get ready(): boolean {
    return this.#worker !== undefined && !this.#stopping && this.#browsers.alive;
  }

  /** Product and version of the browser for documents, once it is running. */
  get browserVersion(): string | undefined {
    return this.#browsers.version;
  }

  /**
   * For liveness probes. Returns a reason to restart the process: a task exceeded its deadline by a minute, or a
   * browser neither finished a document nor could be replaced in that time. Undefined otherwise.
   */
  stuck(): string | undefined {
    const { overrunMs, maxDeadlineMs } = this.#activeTasks;
    const longestBusyMs = Math.max(...this.#pools.map((pool) => pool.longestBusyMs));
    if (overrunMs > STUCK_AFTER_MS) return `a task exceeded its deadline by ${seconds(overrunMs)}`;
    if (longestBusyMs <= maxDeadlineMs + STUCK_AFTER_MS) return undefined;
    return `a browser has been busy for ${seconds(longestBusyMs)}`;
  }

  /** Process IDs of the browsers, each the leader of its group; those that start on demand come last. */
  get browserPids(): readonly number[] {
    return this.#pools.flatMap(({ pids }) => pids);
  }

  /**
   * Checks which scripts this machine's fonts cover, before the first document needs to know. Logs a warning with the
   * scripts in everyday use that no font covers. Occupies a browser for less than a second; call it when the service is
   * ready. Never rejects.
   */
  async warnOfMissingScripts(): Promise<void> {
    const { logger } = this.#options;
    try {
      const scripts = await this.missingScripts();
      if (scripts.length === 0) return;
      logger.warn(
        { scripts },
        'no installed font covers these scripts; documents render them as boxes or blanks',
      );
    } catch (error) {
      if (!this.#stopping) logger.warn({ err: error }, 'failed to check which scripts the fonts cover');
    }
  }

  /** Returns the scripts in everyday use that no font on this machine covers. */
  async missingScripts(): Promise<readonly string[]> {
    return [...(await this.#fonts.missing())].filter((script) => EVERYDAY_SCRIPTS.has(script));
  }

  /**
   * Stops taking tasks, waits up to `graceMs` for in-flight ones, then returns the rest to the queue. Leaves no
   * processes or temporary files behind.
   */
  stop(graceMs: number): Promise<void> {
    this.#stopping ??= this.#stop(graceMs);
    return this.#stopping;
  }

  #findMissingScripts(): Promise<string[]> {
    return this.#browsers.withPage(NO_ACCOUNT, AbortSignal.timeout(SCRIPTS_TIMEOUT_MS), findMissingScripts);
  }

  get #pools(): readonly (BrowserPool | LazyBrowserPool)[] {
    const pools = [this.#browsers, this.#pictureBrowsers];
    return this.#previewBrowsers ? [...pools, this.#previewBrowsers] : pools;
  }

  async #start(): Promise<void> {
    const { config, queue, logger, metrics } = this.#options;
    const started = await Promise.allSettled([this.#browsers.start(), this.#merging.start()]);
    const failed = started.find((result) => result.status === 'rejected');
    if (failed || this.#stopping) {
      await this.#end();
      if (this.#stopping) throw new Error('the renderer was stopped while it was starting');
      throw failed?.reason;
    }
    const handler = this.#activeTasks.observing(this.#tasks.handle);
    this.#worker = queue.work(metrics ? withMetrics(metrics, handler) : handler, {
      // For each browser, one task can print while another merges or stores. One more slot is for interactive tasks.
      concurrency: config.browsers * 2 + 1,
      // One browser is reserved for interactive tasks.
      batchConcurrency: Math.max(1, config.browsers - 1),
    });
    logger.info({ browsers: config.browsers, pids: this.browserPids }, 'renderer ready');
  }

  async #stop(graceMs: number): Promise<void> {
    await this.#worker?.close(graceMs);
    await this.#end();
    await this.#starting?.catch(() => undefined);
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#pools.map((pool) => pool.stop()), this.#merging.stop(), this.#docx.stop()]);
  }
}

/** Creates the browsers for documents, and those for images and previews, which start on demand. */
function createPools(options: RendererOptions) {
  const { config, clock, logger, previewBrowser = false } = options;
  const limits = {
    ...DEFAULT_BROWSER_LIMITS,
    browserMemoryBytes: config.browserMemoryBytes,
  };
  const launch = launchingOf(options);
  const pool = { launch, limits, permissions: permissionsOf(options), clock, logger };
  const onDemand = { ...pool, idleMs: BROWSER_IDLE_MS };
  const drawing = async (kind: BrowserKind) => launch({ ...kind, drawsFrames: true });
  const { pictures, clusterPreviews } = BOUNDS;
  return {
    browsers: new BrowserPool({ ...pool, size: config.browsers }),
    pictures: new LazyBrowserPool({ ...onDemand, launch: drawing, size: pictures.limit.value }),
    previews: previewBrowser
      ? new LazyBrowserPool({ ...onDemand, size: clusterPreviews.limit.value })
      : undefined,
  };
}

/** Returns the function that starts a browser. The first call finds this machine's browser. */
function launchingOf({ config, logger }: RendererOptions): (kind?: BrowserKind) => Promise<Browser> {
  const { browserSocket, maxOutputBytes } = config;
  const scripts = config.templateScripts === 'on';
  let launcher: Promise<BrowserLauncher> | undefined;
  const find = async () =>
    browserSocket === undefined ? localLauncher(config, logger) : new RemoteLauncher(browserSocket);
  return async (kind) => {
    const running = await (await (launcher ??= find())).launch({ ...kind, scripts });
    return connectBrowser(running, maxOutputBytes);
  };
}

/** Returns the permissions that the deployment grants to documents. */
function permissionsOf({ config, clock, logger }: RendererOptions): DocumentPermissions {
  const scripts = config.templateScripts === 'on';
  const { allowHosts: hosts, allowAddresses: addresses, denyAddresses: denied, proxies } = config;
  if (hosts.length === 0) return { scripts };
  const resolver = new SystemResolver();
  const resources = allowedResources({ hosts, addresses, denied, resolver, proxies, clock, logger });
  return { scripts, resources };
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}

/**
 * Limits the renderer's in-flight previews, which must not delay documents for long, plus one for an account that has
 * none in flight. A preview over the limit is `busy` immediately.
 */
export function limitedPreviews(
  render: PreviewRenderer['render'],
  maxPreviews: number = BOUNDS.renderedPreviews.limit.value,
): PreviewRenderer {
  const inFlight = new RunningAccounts();
  return {
    async render(task, signal) {
      const { account } = task;
      if (!inFlight.fits(account, maxPreviews)) return { status: 'busy' };
      inFlight.add(account);
      try {
        return await render(task, signal);
      } finally {
        inFlight.remove(account);
      }
    },
  };
}
