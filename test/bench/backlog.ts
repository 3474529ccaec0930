import { clientWithNewKey } from '../support/keys-command.ts';
import { inSequence, sequenceRow } from './measurement/sequence.ts';
import { percentile } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import { BenchClient } from './workload/bench-client.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP = 20;
const REQUESTS = 100;
/** Items of a batch of another account, which must advance meanwhile. */
const BATCH_ITEMS = 100;
const POSTING_CLIENTS = 32;

/**
 * Measures synchronous requests of an account, one after another: alone, and behind `documents` asynchronous documents
 * of the same account and a batch of another one.
 */
export async function benchBacklog(invoice: Invoice, documents: number): Promise<void> {
  const service = await StandaloneService.start();
  const { client } = service;
  const { key = '' } = await clientWithNewKey(client.url, service.process.kubeconfig, { account: 'other' });
  const other = new BenchClient(client.url, key);
  try {
    await measure(client, other, invoice, documents);
  } finally {
    other.close();
    await service.stop();
  }
}

async function measure(
  client: BenchClient,
  other: BenchClient,
  invoice: Invoice,
  documents: number,
): Promise<void> {
  const body = { template_id: await client.createTemplate(invoice), data: invoice.data };
  const generate = async () => (await client.call<Generated>('POST', '/v1/generate', body)).status;
  await inSequence(WARM_UP, generate);
  const alone = await inSequence(REQUESTS, generate);

  const batch = await startBatch(other, invoice);
  const backlog = await postBacklog(client, body, documents);
  const before = await batch.completed();
  const behind = await inSequence(REQUESTS, generate);
  const progress = (await batch.completed()) - before;
  const { status } = await client.call<Generated>('GET', `/v1/generate/${backlog.last}`);

  console.table({ alone: sequenceRow(alone), 'behind the backlog': sequenceRow(behind) });
  const ratio = percentile(behind.latencies, 0.5) / percentile(alone.latencies, 0.5);
  const seconds = (backlog.postingMs / 1000).toFixed(1);
  console.log(`${documents} documents posted in ${seconds} s; at the end the last one is ${status}`);
  console.log(`median behind the backlog: × ${ratio.toFixed(2)} (target ≤ 3; p95 ≤ 500 ms)`);
  console.log(`meanwhile ${progress} of ${BATCH_ITEMS} items of a batch of another account were completed`);
}

interface Generated {
  readonly id: string;
  readonly status: string;
}

interface Backlog {
  /** Id of the last document. */
  readonly last: string;
  readonly postingMs: number;
}

/** Posts the documents as fast as the service accepts them. */
async function postBacklog(client: BenchClient, body: object, documents: number): Promise<Backlog> {
  const asynchronous = JSON.stringify({ ...body, async: true });
  const begun = performance.now();
  let left = documents;
  let last = '';
  await Promise.all(
    Array.from({ length: POSTING_CLIENTS }, async () => {
      while (left-- > 0) last = (await client.call<Generated>('POST', '/v1/generate', asynchronous)).id;
    }),
  );
  return { last, postingMs: performance.now() - begun };
}

async function startBatch(
  client: BenchClient,
  invoice: Invoice,
): Promise<{ completed: () => Promise<number> }> {
  const template_id = await client.createTemplate(invoice);
  const items = Array.from({ length: BATCH_ITEMS }, () => ({ data: invoice.data }));
  const { id } = await client.call<Generated>('POST', '/v1/generate/batch', {
    template_id,
    format: 'pdf',
    items,
  });
  const path = `/v1/generate/batch/${id}`;
  return { completed: async () => (await client.call<{ completed: number }>('GET', path)).completed };
}
