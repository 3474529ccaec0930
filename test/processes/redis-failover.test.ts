import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Api, GenerationAnswer } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { textOf } from '../support/files/pdf.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import {
  startRedisCluster,
  startRedisWithSentinels,
  type RedisTopology,
} from '../support/processes/redis-topology.ts';

const missing = whyNoClusterProcesses();
if (missing) console.warn(`skipped: ${missing}`);

const ITEMS = 10;
/** Time for a document or a batch that is accepted while Redis fails over, in milliseconds. */
const FINISHED_MS = 90_000;

describe.skipIf(missing).each([
  ['Sentinel', startRedisWithSentinels],
  ['a Redis Cluster', startRedisCluster],
])('Failover of Redis with %s', (_name, start) => {
  let redis: RedisTopology;
  let cluster: ClusterProcesses;
  let template_id = '';

  beforeAll(async () => {
    redis = await start();
    const environment = { ...redis.environment, TRIFOLD_RATE_LIMIT: '1000000/1h' };
    cluster = await ClusterProcesses.start({ controllers: 1, renderers: 1, environment });
    template_id = (await cluster.live.createTemplate({ html: '<p>Number {{number}}.</p>' })).id;
  });
  afterAll(async () => {
    await cluster?.stop();
    await redis?.stop();
  });
  afterEach((context) => {
    if (context.task.result?.state === 'fail') {
      console.error(cluster.processes.map(({ output }) => output).join('\n'));
    }
  });

  it('loses no document under load, and no document changes', async () => {
    const load = new Load(cluster.live, template_id);
    await load.document();
    await redis.failOver('kill');
    await load.document();
    await redis.failOver('pause');
    await load.document();
    await load.end();
    for (const [id, bytes] of load.files) expect(bytes.equals(await load.download(id)), id).toBe(true);
  });
});

/** Synchronous and asynchronous documents and batches, each begun when the one before is finished, until it ends. */
class Load {
  /** Files by the ids of their documents. */
  readonly files = new Map<string, Buffer>();
  readonly #api: Api;
  readonly #template_id: string;
  readonly #running: Promise<unknown>;
  #number = 0;
  #ending = false;

  constructor(api: Api, template_id: string) {
    this.#api = api;
    this.#template_id = template_id;
    const documents = [false, false, true, true].map((async) => this.#repeat(() => this.document(async)));
    this.#running = Promise.all([...documents, this.#repeat(() => this.#batch())]);
    // `end` throws it.
    this.#running.catch(() => undefined);
  }

  /** Generates a document, and downloads its file when it is finished. */
  async document(async = false): Promise<void> {
    const number = (this.#number += 1);
    const id = await this.#accept('/v1/generate', { data: { number }, ...(async && { async }) });
    const { status, error } = await this.#api.finished(id, FINISHED_MS);
    expect(error?.message ?? status).toBe('completed');
    const bytes = await this.download(id);
    expect(await textOf(bytes)).toContain(`Number ${number}.`);
    this.files.set(id, bytes);
  }

  async download(id: string): Promise<Buffer> {
    const { status, text, bytes } = await this.#api.get(`/v1/generate/${id}/download`);
    expect(status, text.slice(0, 300)).toBe(200);
    return bytes;
  }

  /** Resolves when everything is finished. Rejects if something failed. */
  async end(): Promise<void> {
    this.#ending = true;
    await this.#running;
  }

  async #batch(): Promise<void> {
    const items = Array.from({ length: ITEMS }, (_, number) => ({ data: { number } }));
    const id = await this.#accept('/v1/generate/batch', { format: 'pdf', items });
    const completed = async () => {
      const answer = await this.#api.get(`/v1/generate/batch/${id}`);
      expect(answer.json()).toMatchObject({ status: 'completed', completed: ITEMS, failed: 0 });
    };
    await eventually(completed, { timeoutMs: FINISHED_MS });
  }

  async #accept(path: string, request: object): Promise<string> {
    const answer = await this.#api.post(path, { template_id: this.#template_id, ...request });
    expect([200, 202], answer.text).toContain(answer.status);
    return answer.json<GenerationAnswer>().id;
  }

  async #repeat(act: () => Promise<void>): Promise<void> {
    while (!this.#ending) await act();
  }
}
