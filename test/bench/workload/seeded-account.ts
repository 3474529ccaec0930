import { randomUUID } from 'node:crypto';
import { documentKeyOf, GENERATION_JOB, newId, type GenerationJob } from '@trifold/crds';
import { eventually } from '../../support/eventually.ts';
import { clientWithNewKey } from '../../support/keys-command.ts';
import type { ClusterProcesses } from '../../support/processes/cluster-processes.ts';
import { BenchClient } from './bench-client.ts';

/** Length of a time up to its seconds. */
const SECONDS_LENGTH = 19;
const PORTION = 5_000;
const COMPLETED_WITHIN_MS = 10 * 60_000;

interface Generated {
  readonly id: string;
  readonly status: string;
}

/** An account with a finished asynchronous document, of which it can have many copies. */
export class SeededAccount {
  readonly client: BenchClient;
  /** Body of a request for a document like the model. */
  readonly body: object;
  readonly #model: GenerationJob;

  private constructor(client: BenchClient, body: object, model: GenerationJob) {
    this.client = client;
    this.body = body;
    this.#model = model;
  }

  /** `bodyFor` creates the template and returns the body of a request. */
  static async create(
    cluster: ClusterProcesses,
    account: string,
    bodyFor: (client: BenchClient) => Promise<object>,
  ): Promise<SeededAccount> {
    const { key = '' } = await clientWithNewKey(cluster.url, cluster.kubeconfig, { account });
    const client = new BenchClient(cluster.url, key);
    const body = await bodyFor(client);
    const id = await completedLater(client, body);
    const jobs = cluster.kubernetes.resource(GENERATION_JOB);
    return new SeededAccount(client, body, await jobs.get(account, id));
  }

  /** Requests a document and waits for it. Resolves with its status, also when the service answers before its end. */
  async generate(): Promise<string> {
    return (await this.client.call<Generated>('POST', '/v1/generate', this.body)).status;
  }

  /** Returns a job like the model, created at this time, and finished then or unfinished. */
  copy(createdAt: Date, isFinished: boolean): GenerationJob {
    const { metadata, spec, status, ...model } = this.#model;
    const lastTransitionTime = `${createdAt.toISOString().slice(0, SECONDS_LENGTH)}Z`;
    const ofItsOwn = {
      name: newId('gen', createdAt),
      uid: randomUUID(),
      creationTimestamp: lastTransitionTime,
    };
    const job = { ...model, metadata: { ...metadata, ...ofItsOwn }, spec };
    if (!isFinished) return job;
    const conditions = status?.conditions?.map((condition) => ({ ...condition, lastTransitionTime })) ?? [];
    const finishedAt = createdAt.toISOString();
    return { ...job, status: { ...status, objectKey: documentKeyOf(job), finishedAt, conditions } };
  }
}

/** Writes jobs straight into etcd. `jobAt` returns each of them. */
export async function seedJobs(
  cluster: ClusterProcesses,
  count: number,
  jobAt: (index: number) => GenerationJob,
): Promise<void> {
  for (let start = 0; start < count; start += PORTION) {
    const size = Math.min(PORTION, count - start);
    await cluster.seed(
      GENERATION_JOB,
      Array.from({ length: size }, (_, index) => jobAt(start + index)),
    );
  }
}

/** Requests a document asynchronously. Resolves with its id when it is completed. */
async function completedLater(client: BenchClient, body: object): Promise<string> {
  const { id } = await client.call<Generated>('POST', '/v1/generate', { ...body, async: true });
  const isCompleted = async () =>
    (await client.call<Generated>('GET', `/v1/generate/${id}`)).status === 'completed';
  await eventually(isCompleted, { timeoutMs: COMPLETED_WITHIN_MS, intervalMs: 20 });
  return id;
}
