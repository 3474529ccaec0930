import { eventually } from '../support/eventually.ts';
import { ClusterProcesses, whyNoClusterProcesses } from '../support/processes/cluster-processes.ts';
import type { LogLine } from '../support/processes/node-process.ts';
import { BROWSERS } from './measurement/comparison.ts';
import { processorTimes, residentMemory } from './measurement/processes.ts';
import { rounded } from './measurement/report.ts';
import { inSequence, sequenceRow } from './measurement/sequence.ts';
import type { BenchClient } from './workload/bench-client.ts';
import type { Invoice } from './workload/invoice.ts';
import { seedJobs, SeededAccount } from './workload/seeded-account.ts';

const ACCOUNTS = 20;
const UNFINISHED_SHARE = 0.05;
/** Rate at which the jobs seem to have been created. */
const PER_SECOND = 200;
/** Size of the data of a job, as of the invoice. */
const DATA_CHARACTERS = 5_000;
const WARM_UP = 20;
const REQUESTS = 100;
/** Time between two looks at how busy the services are, and the share of a processor below which they are idle. */
const IDLE_WINDOW_MS = 5_000;
const IDLE_SHARE = 0.3;
const DEADLINE_MS = 60 * 60_000;

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
 * Measures the services of a cluster with many jobs: the cold start of a gateway and a controller, and synchronous
 * requests alongside a backlog of another account.
 */
export async function benchScale(invoice: Invoice, { jobs, backlog }: ScaleSize): Promise<void> {
  const missing = whyNoClusterProcesses();
  if (missing) throw new Error(`a cluster cannot be measured here: ${missing} (see docs/testing.md)`);
  const environment = { TRIFOLD_BROWSERS: String(BROWSERS), ...WITHOUT_DELETION };
  const cluster = await ClusterProcesses.start({ controllers: 1, environment });
  const accounts: SeededAccount[] = [];
  const create = async (name: string, bodyFor: (client: BenchClient) => Promise<object>) => {
    accounts.push(await SeededAccount.create(cluster, name, bodyFor));
    return accounts.at(-1)!;
  };
  const invoiceBody = async (client: BenchClient) => ({
    template_id: await client.createTemplate(invoice),
    data: invoice.data,
  });
  try {
    const other = await create('other', invoiceBody);
    const busy = await create('busy', invoiceBody);
    const owners: SeededAccount[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) owners.push(await create(`acme-${index}`, textBody));
    await Promise.all(cluster.controllers.map((controller) => controller.stop()));
    await seed(cluster, owners, jobs);
    await untilIdle();
    await measureStarts(cluster);
    await untilIdle();
    printMemory(`${jobs} jobs`);
    await measureBacklog(cluster, other, busy, backlog);
  } finally {
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
async function seed(cluster: ClusterProcesses, owners: readonly SeededAccount[], jobs: number) {
  const now = Date.now();
  const finished = Math.round(jobs * (1 - UNFINISHED_SHARE));
  await seedJobs(cluster, jobs, (index) => {
    const createdAt = new Date(now - ((jobs - index) * 1000) / PER_SECOND);
    return owners[index % owners.length]!.copy(createdAt, index < finished);
  });
}

/**
 * Measures the start of another gateway, until it serves, and of a controller, until it leads, until the first document
 * of a seeded job is rendered, and until no unfinished job is left.
 */
async function measureStarts(cluster: ClusterProcesses): Promise<void> {
  let begunAt = Date.now();
  const gateway = await cluster.addGateway({}, DEADLINE_MS);
  print('gateway ready', timeOf(gateway.said('serving')) - begunAt, 'ms (target ≤ 3000)');
  await gateway.stop();

  const before = await renderedBy(cluster);
  begunAt = Date.now();
  const controller = await cluster.addController({}, DEADLINE_MS);
  const leading = await controller.says('started leading', DEADLINE_MS);
  print('controller leads', timeOf(leading) - begunAt, 'ms (target ≤ 3000)');
  const isRendering = async () => (await renderedBy(cluster)) > before;
  await eventually(isRendering, { timeoutMs: DEADLINE_MS, intervalMs: 20 });
  print('first document rendered', Date.now() - begunAt, 'ms');
  const isDone = async () => (await unfinishedIn(cluster)) === 0;
  await eventually(isDone, { timeoutMs: DEADLINE_MS, intervalMs: 1_000 });
  print('no unfinished document left', (Date.now() - begunAt) / 1000, 's');
}

/**
 * Measures synchronous requests of an account, one after another: alone, and alongside `pending` asynchronous documents
 * of another account.
 */
async function measureBacklog(
  cluster: ClusterProcesses,
  other: SeededAccount,
  busy: SeededAccount,
  pending: number,
): Promise<void> {
  const generate = () => other.generate();
  await inSequence(WARM_UP, generate);
  const alone = await inSequence(REQUESTS, generate);
  const now = Date.now();
  await seedJobs(cluster, pending, (index) => busy.copy(new Date(now + index / 100), false));
  print('backlog when the requests begin', await knownBacklog(cluster), 'documents');
  const [beganMs, documents] = [performance.now(), await renderedBy(cluster)];
  const beside = await inSequence(REQUESTS, generate);
  const seconds = (performance.now() - beganMs) / 1000;
  print(
    'documents meanwhile, both accounts',
    ((await renderedBy(cluster)) - documents) / seconds,
    'a second',
  );
  console.table({ alone: sequenceRow(alone), 'beside the backlog': sequenceRow(beside) });
  printMemory(`a backlog of ${pending} documents`);
}

/** Resolves when the number of unfinished documents that the leader knows grows no more. */
async function knownBacklog(cluster: ClusterProcesses): Promise<number> {
  let last = -1;
  const isKnown = async () => {
    const before = last;
    last = await unfinishedIn(cluster);
    return last <= before;
  };
  await eventually(isKnown, { timeoutMs: DEADLINE_MS, intervalMs: 2_000 });
  return last;
}

/** Resolves when all services together use little processor time: nothing is being read or worked on. */
async function untilIdle(): Promise<void> {
  let usedMs = Infinity;
  const isIdle = () => {
    const before = usedMs;
    usedMs = [...processorTimes()].reduce(
      (sum, [kind, ms]) => (kind === 'load generator' ? sum : sum + ms),
      0,
    );
    return Math.abs(usedMs - before) < IDLE_WINDOW_MS * IDLE_SHARE;
  };
  await eventually(isIdle, { timeoutMs: DEADLINE_MS, intervalMs: IDLE_WINDOW_MS });
}

/** Returns the number of documents that the running renderers have ended. */
async function renderedBy({ renderers }: ClusterProcesses): Promise<number> {
  const running = renderers.filter((renderer) => renderer.running);
  const counts = await Promise.all(running.map((one) => one.metric('trifold_renderer_tasks_total')));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the number of unfinished documents that the leader knows. */
async function unfinishedIn(cluster: ClusterProcesses): Promise<number> {
  return (await cluster.leader()).metric('trifold_unfinished_jobs');
}

/** Returns the time of a log line, in milliseconds. */
function timeOf(line: LogLine | undefined): number {
  return Date.parse(String(line?.['time']));
}

function print(what: string, measured: number, unit: string): void {
  console.log(`${what}: ${rounded(measured)} ${unit}`);
}

function printMemory(beside: string): void {
  const memory = residentMemory();
  for (const part of ['kube-apiserver', 'controllers']) {
    print(`memory of ${part} beside ${beside}`, memory.get(part) ?? 0, 'MiB');
  }
}
