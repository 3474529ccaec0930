import { GatewayFixture } from '@trifold/api-gateway/testing/gateway-fixture.ts';
import { GENERATION_JOB, newId, type GenerationJob } from '@trifold/crds';
import type { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import type { DocumentRow } from '@trifold/platform/records/documents/finished-document.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { alternate, closedLoop } from './measurement/statistics.ts';

const ACCOUNT = 'acme';
const ARCHIVED = 100_000;
const WITH_RESOURCE = 2_000;
const ROWS_IN_ROUND = 500;
const HOUR_MS = 3_600_000;

/** Measures lists, without sockets, for an account with 100,000 documents, 2,000 of which have a resource. */
export async function benchLists({ milliseconds, rounds }: Pace): Promise<void> {
  // An account shows only documents newer than the account.
  const clock = new FakeClock(new Date(Date.now() - 24 * HOUR_MS));
  const gateway = await GatewayFixture.start({ clock });
  try {
    await fillIndex(gateway.store);
    clock.advance(24 * HOUR_MS);
    await createJobs(gateway);
    const page = async (query: string) => {
      const headers = { authorization: `Bearer ${gateway.key}` };
      const url = `/v1/generate?limit=20&${query}`;
      const response = await gateway.gateway.app.inject({ url, headers });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<{ pagination: { total_count: number; next_cursor: string } }>().pagination;
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
    await gateway.stop();
  }
}

/** Adds a day's rows as the accounting does: 500 at a time. */
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
    format: 'pdf' as const,
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

async function createJobs({ kubernetes }: GatewayFixture): Promise<void> {
  const jobs = kubernetes.resource<GenerationJob>(GENERATION_JOB);
  for (let number = 0; number < WITH_RESOURCE; number += 1) {
    await jobs.create({
      metadata: { name: newId('gen', new Date()), namespace: ACCOUNT },
      spec: { templateRef: { name: 'tpl-01m7yzmhg0e6sv0kjdwjw9tcrr' }, data: { number } },
    });
  }
}

/** Start Node.js with --expose-gc to exclude garbage. */
function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
