import path from 'node:path';
import { startCommand } from '../../clients/testcontainers/start.ts';
import { REPOSITORY } from '../support/service.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow } from './measurement/report.ts';

const BIN = path.join(REPOSITORY, 'standalone/command/bin.cjs');
const STARTS_PER_ROUND = 4;

/**
 * Measures `startTrifold` until the service is ready, until the event of the first document arrives, and `stop`. The
 * browser is unpacked, and the compiled code is cached. Runs the sources, as `--render` does.
 */
export async function benchTestcontainers({ rounds }: Pace): Promise<void> {
  const ready: number[] = [];
  const event: number[] = [];
  const stop: number[] = [];
  await (await startCommand(BIN)).stop();
  for (let left = rounds * STARTS_PER_ROUND; left > 0; left -= 1) {
    const begun = performance.now();
    const trifold = await startCommand(BIN);
    ready.push(performance.now() - begun);
    await trifold.client.documents.generate({ template: { html: '<h1>{{a}}</h1>' }, data: { a: 1 } });
    await trifold.webhooks.waitFor('document.completed');
    event.push(performance.now() - begun);
    const asked = performance.now();
    await trifold.stop();
    stop.push(performance.now() - asked);
  }
  console.table([
    { '': 'startTrifold', ...latencyRow({ latencies: ready }) },
    { '': 'startTrifold to first event', ...latencyRow({ latencies: event }) },
    { '': 'stop', ...latencyRow({ latencies: stop }) },
  ]);
  console.log('p50 of startTrifold: target < 3000 ms');
}
