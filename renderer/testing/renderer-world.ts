import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@trifold/platform/clock.ts';
import { createLogger } from '@trifold/platform/logging.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory-store.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process-queue.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import type { RevisionContent } from '@trifold/platform/templates/revision.ts';
import { vi } from 'vitest';
import { loadRendererConfig, type RendererConfig } from '../config.ts';
import { Renderer } from '../renderer.ts';
import { readPdf, type ReadPdf } from './read-pdf.ts';

const WAIT = { timeout: 60_000, interval: 5 };

export interface Order extends Partial<RenderTask> {
  readonly json?: unknown;
}

/** A renderer as the service runs it: real browsers, queue and store. */
export class RendererWorld {
  readonly root = mkdtempSync(join(tmpdir(), 'trifold-hostile-test-'));
  readonly files = new DirectoryStore({ root: this.root });
  readonly queue = new InProcessQueue();
  readonly renderer: Renderer;
  #count = 0;

  private constructor(settings: Partial<RendererConfig>) {
    this.renderer = new Renderer({
      queue: this.queue,
      store: this.files,
      clock: systemClock,
      logger: createLogger({ level: 'silent', name: 'test' }),
      config: { ...loadRendererConfig({ TRIFOLD_BROWSER: process.env['TRIFOLD_BROWSER'] }), ...settings },
    });
  }

  static async start(settings: Partial<RendererConfig> = {}): Promise<RendererWorld> {
    const world = new RendererWorld(settings);
    await world.renderer.start();
    return world;
  }

  /** Adds a task for the template. */
  async order(content: Partial<RevisionContent>, { json = {}, ...given }: Order = {}): Promise<RenderTask> {
    this.#count += 1;
    const account = given.account ?? 'acme';
    const uid = `uid${this.#count}`;
    const body = JSON.stringify({ displayName: 'Test', ...content });
    const task: RenderTask = {
      id: `${uid}-1`,
      queue: 'interactive',
      account,
      job: `gen-${this.#count}`,
      uid,
      format: 'pdf',
      mode: 'live',
      createdAt: '2026-11-20T01:02:03.456Z',
      revisionKey: `revisions/${account}/${createHash('sha256').update(body).digest('hex')}`,
      dataKey: `documents/x/${account}/${uid}.data`,
      resultKey: `documents/x/${account}/${uid}`,
      options: {},
      facts: { job: `gen-${this.#count}` },
      deadlineMs: 60_000,
      enqueuedAt: new Date().toISOString(),
      ...given,
    };
    await this.files.put(task.revisionKey, body);
    await this.files.put(task.dataKey, JSON.stringify(json));
    await this.queue.add(task);
    return task;
  }

  /** How it is with a task now. */
  async status(task: RenderTask): Promise<string> {
    return (await this.queue.state(task.id)).status;
  }

  async outcomeOf(task: RenderTask): Promise<RenderOutcome> {
    return vi.waitFor(async () => {
      const state = await this.queue.state(task.id);
      if (state.status !== 'completed' && state.status !== 'failed') throw new Error(`still ${state.status}`);
      return state;
    }, WAIT);
  }

  async render(content: Partial<RevisionContent>, order?: Order): Promise<RenderOutcome> {
    return this.outcomeOf(await this.order(content, order));
  }

  /** Renders, and reads the PDF that came out. */
  async read(content: Partial<RevisionContent>, order?: Order): Promise<ReadPdf> {
    const task = await this.order(content, order);
    const outcome = await this.outcomeOf(task);
    if (outcome.status === 'failed') throw new Error(JSON.stringify(outcome.failure));
    return readPdf((await this.files.read(task.resultKey)) ?? Buffer.alloc(0));
  }

  async close(): Promise<void> {
    await this.renderer.stop(0);
    await this.queue.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}
