import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { DocumentWarning } from '@trifold/crds';
import { systemClock, type Clock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome, RenderQueue, RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { RevisionContent } from '@trifold/platform/templating/revisions/revision.ts';
import { loadRendererConfig, type RendererConfig } from '../config.ts';
import { Renderer } from '../renderer.ts';
import { afterAll, beforeAll } from 'vitest';
import { readPdf, type ReadPdf } from './files/read-pdf.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

export interface Order
  extends Partial<Omit<RenderTask, 'document'>>, Partial<Pick<RenderTask['document'], 'format' | 'mode'>> {
  readonly json?: unknown;
}

export interface CompletedDocument {
  readonly file: Buffer;
  readonly warnings: readonly DocumentWarning[];
}

/** A renderer as the service runs it: real browsers, a queue, and a store in its own directory. */
export class RendererFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'trifold-renderer-test-'));
  readonly files = new DirectoryStore({ root: this.root });
  /** The renderer's store; tests may break it. */
  readonly store: ObjectStore = Object.create(this.files, {
    put: { value: (...call: Parameters<ObjectStore['put']>) => this.files.put(...call), writable: true },
    read: { value: (key: string) => this.files.read(key), writable: true },
    head: { value: (key: string) => this.files.head(key), writable: true },
  }) as ObjectStore;
  readonly queue: RenderQueue;
  readonly metrics = new Metrics();
  /** Log lines of the renderer. */
  readonly log: string[] = [];
  readonly renderer: Renderer;
  #count = 0;

  /** Creates the fixture without starting its renderer. */
  constructor(
    settings: Partial<RendererConfig> = {},
    clock: Clock = systemClock,
    previewBrowser = false,
    queue: RenderQueue = new InProcessQueue(),
  ) {
    this.queue = queue;
    const destination = new PassThrough().on('data', (line: Buffer) => this.log.push(line.toString()));
    this.renderer = new Renderer({
      queue: this.queue,
      storeOf: () => this.store,
      clock,
      logger: createLogger({ level: 'debug', name: 'test', destination }),
      metrics: this.metrics,
      previewBrowser,
      config: { ...loadRendererConfig({ TRIFOLD_BROWSER: process.env['TRIFOLD_BROWSER'] }), ...settings },
    });
  }

  static async start(
    settings?: Partial<RendererConfig>,
    clock?: Clock,
    previewBrowser?: boolean,
    queue?: RenderQueue,
  ): Promise<RendererFixture> {
    const fixture = new RendererFixture(settings, clock, previewBrowser, queue);
    await fixture.renderer.start();
    return fixture;
  }

  /** Returns a fixture for the tests of a file or a suite: starts before the first test, closes after the last. */
  static forSuite(settings?: Partial<RendererConfig>, clock?: Clock): RendererFixture {
    const fixture = new RendererFixture(settings, clock);
    beforeAll(() => fixture.renderer.start());
    afterAll(() => fixture.close());
    return fixture;
  }

  /** Adds a task for the template. */
  async order(
    content: Partial<RevisionContent>,
    { json = {}, format = 'pdf', mode = 'live', ...given }: Order = {},
  ): Promise<RenderTask> {
    this.#count += 1;
    const account = given.account ?? 'acme';
    const uid = `uid${this.#count}`;
    const body = JSON.stringify({ displayName: 'Test', ...content });
    const task: RenderTask = {
      id: `${uid}-1`,
      queue: 'interactive',
      account,
      document: {
        id: `gen-${this.#count}`,
        uid,
        template: 'invoice',
        format,
        mode,
        filename: 'Счёт',
        createdAt: '2026-11-20T01:02:03.456Z',
        expiresAt: '2026-11-21T01:02:03.456Z',
      },
      revisionKey: `revisions/${account}/${createHash('sha256').update(body).digest('hex')}`,
      dataKey: `documents/x/${account}/${uid}.data`,
      resultKey: `documents/x/${account}/${uid}`,
      options: {},
      deadlineMs: 60_000,
      enqueuedAt: new Date().toISOString(),
      ...given,
    };
    await this.files.put(task.revisionKey, body);
    await this.files.put(task.dataKey, JSON.stringify(json));
    await this.queue.add(task);
    return task;
  }

  /** Returns the current status of a task. */
  async status(task: RenderTask): Promise<string> {
    return (await this.queue.state(task.id)).status;
  }

  async outcomeOf(task: RenderTask): Promise<RenderOutcome> {
    return eventually(async () => {
      const state = await this.queue.state(task.id);
      if (state.status !== 'completed' && state.status !== 'failed') throw new Error(`still ${state.status}`);
      return state;
    });
  }

  async render(content: Partial<RevisionContent>, order?: Order): Promise<RenderOutcome> {
    return this.outcomeOf(await this.order(content, order));
  }

  /** Renders a document that must complete. Returns its file and its warnings. */
  async complete(content: Partial<RevisionContent>, order?: Order): Promise<CompletedDocument> {
    const task = await this.order(content, order);
    const outcome = await this.outcomeOf(task);
    if (outcome.status === 'failed') throw new Error(JSON.stringify(outcome.failure));
    const file = (await this.files.read(task.resultKey)) ?? Buffer.alloc(0);
    return { file, warnings: outcome.result.warnings ?? [] };
  }

  /** Renders a document and reads the resulting PDF. */
  async read(content: Partial<RevisionContent>, order?: Order): Promise<ReadPdf> {
    return readPdf((await this.complete(content, order)).file);
  }

  async close(): Promise<void> {
    await this.renderer.stop(0);
    await this.queue.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
