import { eventually } from '../../support/eventually.ts';
import type { ClusterProcesses } from '../../support/processes/cluster-processes.ts';
import type { LogLine } from '../../support/processes/node-process.ts';
import type { KeptControllers } from './kept-controllers.ts';
import type { Results } from './results.ts';

const STARTED_WITHIN_MS = 10 * 60_000;
const FINISHED_WITHIN_MS = 60 * 60_000;
/** Targets of a cold start, in milliseconds. */
const LEADING_MS = 3_000;
const READY_MS = 3_000;

/** Measures the start of another gateway, from its process to the first request that it serves. */
export async function measureGateway(cluster: ClusterProcesses, results: Results): Promise<void> {
  const begunAt = Date.now();
  const gateway = await cluster.addGateway({}, STARTED_WITHIN_MS);
  results.add('gateway ready', timeOf(gateway.said('serving')) - begunAt, 'ms', READY_MS);
  results.add('of that, start of Node', timeOf(gateway.log[0]) - begunAt, 'ms');
  await gateway.stop();
}

/**
 * Measures the start of a controller, from its process until it leads, until the first document of a seeded job is
 * rendered and until no unfinished job is left. Unfinished jobs must wait for it.
 */
export async function measureController(
  cluster: ClusterProcesses,
  controllers: KeptControllers,
  results: Results,
): Promise<void> {
  const before = await renderedBy(cluster);
  const begunAt = Date.now();
  const controller = await controllers.add(STARTED_WITHIN_MS);
  await controller.says('started leading', STARTED_WITHIN_MS);
  results.add('controller leads', timeOf(controller.said('started leading')) - begunAt, 'ms', LEADING_MS);
  results.add('of that, start of Node', timeOf(controller.log[0]) - begunAt, 'ms');
  await eventually(async () => (await renderedBy(cluster)) > before, {
    timeoutMs: STARTED_WITHIN_MS,
    intervalMs: 20,
  });
  results.add('first document rendered', Date.now() - begunAt, 'ms');
  await eventually(async () => (await unfinishedIn(cluster)) === 0, {
    timeoutMs: FINISHED_WITHIN_MS,
    intervalMs: 1_000,
  });
  results.add('no unfinished document left', (Date.now() - begunAt) / 1000, 's');
}

/** Returns the number of documents that the running renderers have ended. */
export async function renderedBy({ renderers }: ClusterProcesses): Promise<number> {
  const running = renderers.filter((renderer) => renderer.running);
  const values = await Promise.all(
    running.map((renderer) => renderer.metric('trifold_renderer_tasks_total')),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the number of unfinished documents that the leader knows. */
export async function unfinishedIn(cluster: ClusterProcesses): Promise<number> {
  return (await cluster.leader()).metric('trifold_unfinished_jobs');
}

/** Returns the time of a log line, in milliseconds. */
export function timeOf(line: LogLine | undefined): number {
  return Date.parse(String(line?.['time']));
}
