import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api, type ApiResponse, type GenerationResponse } from '../support/api.ts';
import type { ClusterProcesses } from '../support/processes/cluster-processes.ts';

/** This is longer than a request waits for its document: a request without a response by then is retried. */
const ANSWER_MS = 20_000;
const PAUSE_MS = 200;
const ITEMS = 5;

/** A request that the service accepted. */
export interface Accepted {
  readonly id: string;
  /** Text that the document must contain. */
  readonly text: string;
  readonly account: Account;
}

/** An account and its key, which any gateway accepts. */
export interface Account {
  readonly name: string;
  readonly key: string;
  readonly template: string;
}

/** Sends synchronous requests, asynchronous requests and batches, and records what the service accepted. */
export class Load {
  readonly documents: Accepted[] = [];
  readonly batches: { readonly id: string; readonly account: Account }[] = [];
  /** SHA-256 of the file when its document was first seen complete, by ID. */
  readonly files = new Map<string, string>();
  readonly #cluster: ClusterProcesses;
  readonly #loops: Promise<void>[] = [];
  #turn = 0;
  #stopped = false;

  constructor(cluster: ClusterProcesses) {
    this.#cluster = cluster;
  }

  start(account: Account): void {
    this.#loops.push(
      this.#repeat(() => this.#synchronous(account)),
      this.#repeat(() => this.#asynchronous(account)),
      this.#repeat(() => this.#batch(account)),
    );
  }

  /** Resolves when the last request has its response. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  /** Sends a request to the running gateways in turn until one returns a response other than an outage. */
  async answered(account: Account, method: string, path: string, body?: object): Promise<ApiResponse> {
    const headers = { 'idempotency-key': randomUUID() };
    for (;;) {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const options = { signal, ...(body !== undefined && { body, headers }) };
      const response = await this.#gateway(account)
        ?.send(method, path, options)
        .catch(() => undefined);
      if (response && response.status < 500) return response;
      await sleep(PAUSE_MS);
    }
  }

  async #repeat(request: () => Promise<void>): Promise<void> {
    while (!this.#stopped) await request();
  }

  async #synchronous(account: Account): Promise<void> {
    const { id, status } = await this.#document(account, {});
    if (status !== 'completed') return;
    const file = await this.answered(account, 'GET', `/v1/generate/${id}/download`);
    this.files.set(id, sha256(file.bytes));
  }

  async #asynchronous(account: Account): Promise<void> {
    await this.#document(account, { async: true });
    await sleep(PAUSE_MS);
  }

  async #document(account: Account, more: object): Promise<GenerationResponse> {
    const text = randomUUID();
    const body = { template_id: account.template, data: { text }, format: 'html', ...more };
    const response = await this.answered(account, 'POST', '/v1/generate', body);
    if (response.status >= 400) throw new Error(`a document was rejected: ${response.text}`);
    const generation = response.json<GenerationResponse>();
    this.documents.push({ id: generation.id, text, account });
    return generation;
  }

  async #batch(account: Account): Promise<void> {
    const items = Array.from({ length: ITEMS }, () => ({ data: { text: randomUUID() } }));
    const body = { template_id: account.template, format: 'html', items };
    const response = await this.answered(account, 'POST', '/v1/generate/batch', body);
    if (response.status >= 400) throw new Error(`a batch was rejected: ${response.text}`);
    this.batches.push({ id: response.json<{ id: string }>().id, account });
    await sleep(10 * PAUSE_MS);
  }

  #gateway({ key }: Account): Api | undefined {
    const addresses = this.#cluster.gateways
      .filter(({ running }) => running)
      .map((gateway) => gateway.said('listening')?.['address'])
      .filter((address) => typeof address === 'string');
    this.#turn += 1;
    const address = addresses[this.#turn % addresses.length];
    return address === undefined ? undefined : new Api(address, key);
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
