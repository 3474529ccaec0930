import { randomUUID } from 'node:crypto';
import { revisionKey } from '@trifold/crds';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { loadRendererConfig } from '@trifold/renderer/config.ts';
import { Renderer } from '@trifold/renderer/renderer.ts';
import type { EngineDocument } from '../workload/engine-documents.ts';
import { removeDirectory, temporaryDirectory } from '../../support/service.ts';

/** The renderer with minimal dependencies: a queue, and a store in a separate folder. */
export class EngineRenderer {
  readonly #root: string;
  readonly #queue = new InProcessQueue();
  readonly #store: DirectoryStore;
  readonly #renderer: Renderer;
  readonly #waiting = new Map<string, (outcome: RenderOutcome) => void>();

  private constructor(root: string, browsers: number) {
    this.#root = root;
    this.#store = new DirectoryStore({ root });
    this.#renderer = new Renderer({
      queue: this.#queue,
      storeOf: () => this.#store,
      clock: systemClock,
      logger: createLogger({ name: 'bench', level: 'silent' }),
      config: { ...loadRendererConfig(process.env), browsers },
    });
    this.#queue.onFinished((id, outcome) => this.#waiting.get(id)?.(outcome));
  }

  static async start(browsers: number): Promise<EngineRenderer> {
    const engine = new EngineRenderer(await temporaryDirectory(), browsers);
    await engine.#renderer.start();
    return engine;
  }

  /** Process IDs of the browsers. */
  get pids(): readonly number[] {
    return this.#renderer.browserPids;
  }

  /** Stores the template for the renderer. */
  async prepare({ name, source }: EngineDocument, accounts: readonly string[]): Promise<void> {
    const body = JSON.stringify({ displayName: name, ...source });
    for (const account of accounts) await this.#store.put(benchRevisionKey(account, name), body);
  }

  /** Renders a document prepared for the account. Resolves once its file is stored. */
  async render({ name, data, options }: EngineDocument, account: string): Promise<void> {
    const uid = randomUUID();
    const id = `${uid}-1`;
    const { promise, resolve } = Promise.withResolvers<RenderOutcome>();
    this.#waiting.set(id, resolve);
    const now = new Date().toISOString();
    const json = JSON.stringify(data);
    const carried = Buffer.byteLength(json) <= this.#queue.carriedDataBytes;
    const dataKey = `documents/${uid}.data`;
    if (!carried) await this.#store.put(dataKey, json);
    await this.#queue.add({
      id,
      queue: 'interactive',
      account,
      document: {
        id: uid,
        uid,
        template: name,
        format: 'pdf',
        mode: 'live',
        createdAt: now,
        expiresAt: now,
      },
      revisionKey: benchRevisionKey(account, name),
      dataKey,
      ...(carried && { data: json }),
      resultKey: `documents/${uid}`,
      options,
      deadlineMs: 60_000,
      enqueuedAt: now,
    });
    const outcome = await promise;
    this.#waiting.delete(id);
    if (outcome.status === 'failed') throw new Error(`${name}: ${outcome.failure.message}`);
  }

  async stop(): Promise<void> {
    await this.#renderer.stop(10_000);
    await this.#queue.close();
    await removeDirectory(this.#root);
  }
}

function benchRevisionKey(account: string, name: string): string {
  return revisionKey(account, sha256Hex(name), new Date(0));
}
