import { eventually } from '../support/eventually.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import { BROWSERS } from './measurement/comparison.ts';
import { residentMemory } from './measurement/processes.ts';
import { inSequence } from './measurement/sequence.ts';
import { measureController, measureGateway } from './scale/cold-start.ts';
import { measureFailover } from './scale/failover.ts';
import { untilIdle } from './scale/idle.ts';
import { KeptControllers } from './scale/kept-controllers.ts';
import { measureBacklog } from './scale/large-backlog.ts';
import { Results } from './scale/results.ts';
import { seedJobs, SeededAccount } from './scale/seeded-account.ts';
import type { BenchClient } from './workload/bench-client.ts';
import type { Invoice } from './workload/invoice.ts';

const ACCOUNTS = 20;
const UNFINISHED_SHARE = 0.05;
/** Rate at which the jobs seem to have been created. */
const PER_SECOND = 200;
/** Size of the data of a job, as of the invoice. */
const DATA_CHARACTERS = 5_000;
const USAGE_REQUESTS = 50;
const USAGE_WITHIN_MS = 30 * 60_000;
/** Target of a request for the usage, in milliseconds. */
const USAGE_MS = 30;

export interface ScaleSize {
  /** Number of jobs, of which 5 % are unfinished. */
  readonly jobs: number;
  /** Number of pending documents of one account. */
  readonly backlog: number;
}

/** No finished job is deleted during the run. */
const WITHOUT_DELETION = {
  TRIFOLD_TTL_SECONDS_AFTER_FINISHED: '86400',
  TRIFOLD_FINISHED_JOBS_PER_ACCOUNT: '1000000',
  TRIFOLD_FINISHED_JOBS: '1000000',
};

/**
 * Measures the services of a cluster beside many jobs: cold start of a gateway and a controller, usage, failover, and
 * synchronous requests beside a backlog of another account.
 */
export async function benchScale(invoice: Invoice, { jobs, backlog }: ScaleSize): Promise<void> {
  const missing = whyNoClusterProcesses();
  if (missing) throw new Error(`a cluster cannot be measured here: ${missing} (see docs/testing.md)`);
  const results = new Results();
  const cluster = await ClusterProcesses.start({
    controllers: 1,
    environment: { TRIFOLD_BROWSERS: String(BROWSERS), ...WITHOUT_DELETION },
  });
  const controllers = new KeptControllers(cluster);
  const accounts: SeededAccount[] = [];
  const create = async (name: string, bodyFor: (client: BenchClient) => Promise<object>) => {
    const account = await SeededAccount.create(cluster, name, bodyFor);
    accounts.push(account);
    return account;
  };
  try {
    const invoiceBody = async (client: BenchClient) => ({
      template_id: await client.createTemplate(invoice),
      data: invoice.data,
    });
    const other = await create('other', invoiceBody);
    const busy = await create('busy', invoiceBody);
    const owners: SeededAccount[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) owners.push(await create(`acme-${index}`, textBody));
    await Promise.all(cluster.controllers.map((controller) => controller.stop()));

    await seed(cluster, owners, jobs);
    await untilIdle();
    results.add('jobs', jobs, 'jobs');
    results.add('memory of the API server', residentMemory().get('kube-apiserver') ?? 0, 'MiB');
    await measureGateway(cluster, results);
    await measureController(cluster, controllers, results);
    await measureUsage(owners, jobs, results);
    await controllers.add();
    await untilIdle();
    results.add('memory of the controllers', residentMemory().get('controllers') ?? 0, 'MiB');
    await measureFailover(cluster, other, results);
    await untilIdle();
    await measureBacklog(cluster, { busy, other }, backlog, results);
  } finally {
    results.print();
    controllers.stop();
    for (const { client } of accounts) client.close();
    await cluster.stop();
  }
}

/** A document that costs little time and no browser. */
async function textBody(client: BenchClient): Promise<object> {
  const template = { name: 'Text', html: '<p>{{text}}</p>' };
  const { id } = await client.call<{ id: string }>('POST', '/v1/templates', template);
  return { template_id: id, data: { text: 'x'.repeat(DATA_CHARACTERS) }, format: 'html' };
}

/** The youngest jobs are unfinished. */
async function seed(
  cluster: ClusterProcesses,
  owners: readonly SeededAccount[],
  jobs: number,
): Promise<void> {
  const now = Date.now();
  const finished = Math.round(jobs * (1 - UNFINISHED_SHARE));
  await seedJobs(cluster, jobs, (index) => {
    const createdAt = new Date(now - ((jobs - index) * 1000) / PER_SECOND);
    return ownerOf(owners, index).copy(createdAt, index < finished);
  });
}

function ownerOf(owners: readonly SeededAccount[], index: number): SeededAccount {
  return owners[index % owners.length] as SeededAccount;
}

interface UsageAnswer {
  readonly total: {
    readonly failed: number;
    readonly documents: { readonly live: { readonly html: number } };
  };
}

/** Waits until the usage of an account contains all its jobs, and its model, and measures how long it takes to read. */
async function measureUsage(owners: readonly SeededAccount[], jobs: number, results: Results): Promise<void> {
  const { client } = ownerOf(owners, 0);
  const read = () => client.call<UsageAnswer>('GET', '/v1/usage');
  const expected = Math.ceil(jobs / owners.length) + 1;
  const begunAt = Date.now();
  const isExact = async () => {
    const { failed, documents } = (await read()).total;
    return failed + documents.live.html === expected;
  };
  await eventually(isExact, { timeoutMs: USAGE_WITHIN_MS, intervalMs: 1_000 });
  results.add('usage exact, after the last document', (Date.now() - begunAt) / 1000, 's');
  const reading = await inSequence(USAGE_REQUESTS, async () => {
    await read();
    return 'completed';
  });
  results.addSequence('usage', reading, { p50: USAGE_MS });
}
