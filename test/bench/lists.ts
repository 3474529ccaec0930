import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGateway } from '@trifold/api-gateway/gateway.ts';
import { loadGatewayConfig } from '@trifold/api-gateway/config.ts';
import { CUSTOM_KINDS, GENERATION_JOB, newId, SCOPES, type GenerationJob } from '@trifold/crds';
import { EmbeddedControlPlane } from '@trifold/embedded-apiserver/control-plane.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { mintKey } from '@trifold/platform/records/api-keys/mint-key.ts';
import type { DocumentRow } from '@trifold/platform/records/documents/finished-document.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { Metrics } from '@trifold/platform/service/metrics.ts';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { alternate, closedLoop } from './measurement/statistics.ts';

type PlaneOptions = Parameters<typeof EmbeddedControlPlane.open>[0];

const ACCOUNT = 'acme';
const ARCHIVED = 100_000;
const WITH_RESOURCE = 2_000;
const ROWS_IN_ROUND = 500;
const HOUR_MS = 3_600_000;

/** Measures lists of an account with 100,000 documents, of which 2,000 have a resource, without sockets. */
export async function benchLists({ milliseconds, rounds }: Pace): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'trifold-lists-'));
  const logger = createLogger({ name: 'bench', level: 'silent' });
  const clock = systemClock;
  const database = { file: join(root, 'kubernetes.db'), kinds: CUSTOM_KINDS, logger };
  await createOldAccount(database);
  const plane = await EmbeddedControlPlane.open({ ...database, clock });
  const kubernetes = new KubernetesClient(plane.transport);
  const store = new DirectoryStore({ root: join(root, 'objects') });
  const checkPool = new CheckPool();
  const { key } = await mintKey(
    kubernetes,
    { account: ACCOUNT, name: 'bench', scopes: SCOPES, mode: 'live' },
    clock.now(),
  );
  await fillIndex(store);
  await createJobs(kubernetes);
  const { app, ...gateway } = await createGateway({
    kubernetes,
    store,
    checkPool,
    clock,
    logger,
    config: loadGatewayConfig({}),
    metrics: new Metrics(),
  });
  await gateway.start();
  try {
    const page = async (query: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await app.inject({ url: `/v1/generate?limit=20&${query}`, headers });
      if (answer.statusCode !== 200) throw new Error(answer.body);
      return answer.json<{ pagination: { total_count: number; next_cursor: string } }>().pagination;
    };
    const before = heapBytes();
    const began = performance.now();
    const { total_count, next_cursor } = await page('');
    const firstMs = performance.now() - began;
    console.log(`documents listed: ${total_count}; first page, read from the store: ${rounded(firstMs)} ms`);
    console.log(`memory of the list: ${rounded((heapBytes() - before) / 1024 / 1024)} MiB`);
    const queries = {
      'first page': '',
      'second page': `cursor=${next_cursor}`,
      'by status': 'status=failed',
      'by metadata': 'metadata[order]=A-4711',
      'by name': 'q=0815',
    };
    const rows = [];
    for (const [name, query] of Object.entries(queries)) {
      const read = () => closedLoop(1, milliseconds, async () => void (await page(query)));
      rows.push({
        '': name,
        entries: (await page(query)).total_count,
        ...latencyRow((await alternate(rounds, { read })).read),
      });
    }
    console.table(rows);
  } finally {
    await gateway.close();
    await checkPool.stop();
    await plane.close();
    await rm(root, { recursive: true });
  }
}

/** An account shows only documents that are younger than it. */
async function createOldAccount(database: Omit<PlaneOptions, 'clock'>): Promise<void> {
  const clock = new FakeClock(new Date(Date.now() - 24 * HOUR_MS));
  const plane = await EmbeddedControlPlane.open({ ...database, clock });
  await ensureAccount(new KubernetesClient(plane.transport), ACCOUNT);
  await plane.close();
}

/** Adds the rows of a day as the accounting does: 500 at a time. */
async function fillIndex(store: DirectoryStore): Promise<void> {
  const index = new WorkIndex(store);
  const first = Date.now() - 23 * HOUR_MS;
  let writeMs = 0;
  for (let done = 0; done < ARCHIVED; done += ROWS_IN_ROUND) {
    const at = (number: number) => new Date(first + (number / ARCHIVED) * 22 * HOUR_MS);
    const rows = Array.from({ length: ROWS_IN_ROUND }, (_, row) => rowOf(done + row, at(done + row)));
    const began = performance.now();
    await index.add(ACCOUNT, 'documents', rows, at(done + ROWS_IN_ROUND));
    writeMs += performance.now() - began;
  }
  console.log(`rows added: ${ARCHIVED} in ${rounded(writeMs)} ms`);
}

function rowOf(number: number, created: Date): DocumentRow {
  const document = {
    id: newId('gen', created),
    uid: crypto.randomUUID(),
    template: 'tpl-01m7yzmhg0e6sv0kjdwjw9tcrr',
    filename: `invoice-${number}.pdf`,
    metadata: { order: `A-${number}` },
    createdAt: created.toISOString(),
    expiresAt: new Date(created.getTime() + 24 * HOUR_MS).toISOString(),
  };
  if (number % 100 === 0) {
    const error = { code: 'print_failed', message: 'The page could not be printed.' };
    return { ...document, status: 'failed', error };
  }
  return { ...document, status: 'completed', result: { size: 23_456, renderTimeMs: 41, warnings: [] } };
}

async function createJobs(kubernetes: KubernetesClient): Promise<void> {
  const jobs = kubernetes.resource<GenerationJob>(GENERATION_JOB);
  for (let number = 0; number < WITH_RESOURCE; number += 1) {
    await jobs.create({
      metadata: { name: newId('gen', new Date()), namespace: ACCOUNT },
      spec: { templateRef: { name: 'tpl-01m7yzmhg0e6sv0kjdwjw9tcrr' }, data: { number } },
    });
  }
}

/** Start Node.js with --expose-gc to leave out garbage. */
function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
