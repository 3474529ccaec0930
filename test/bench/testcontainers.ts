import path from 'node:path';
import { startCommand } from '../../clients/testcontainers/start.ts';
import { REPOSITORY } from '../support/service.ts';
import type { Pace } from './measurement/comparison.ts';
import { latencyRow } from './measurement/report.ts';
import { StandaloneService } from './services/standalone-service.ts';

const BIN = path.join(REPOSITORY, 'standalone/command/bin.cjs');
const STARTS_PER_ROUND = 4;

/**
 * Measures `startTrifold` until the service is ready, until the event of the first document arrives, and `stop`, in
 * turn with the start of the service alone. The browser is unpacked, and the compiled code is cached. Runs the sources,
 * as `--render` does.
 */
export async function benchTestcontainers({ rounds }: Pace): Promise<void> {
  const latencies = { service: [], kit: [], event: [], stop: [] } as Record<string, number[]>;
  const measure = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    latencies[name]?.push(performance.now() - begun);
    return result;
  };
  await (await startCommand(BIN)).stop();
  for (let left = rounds * STARTS_PER_ROUND; left > 0; left -= 1) {
    await (await measure('service', () => StandaloneService.start())).stop();
    const trifold = await measure('kit', () => startCommand(BIN));
    await measure('event', async () => {
      await trifold.client.documents.generate({ template: { html: '<h1>{{a}}</h1>' }, data: { a: 1 } });
      await trifold.webhooks.waitFor('document.completed');
    });
    await measure('stop', () => trifold.stop());
  }
  const row = (name: string, measured: number[] = []) => ({
    '': name,
    ...latencyRow({ latencies: measured }),
  });
  console.table([
    row('service alone, ready', latencies['service']),
    row('startTrifold', latencies['kit']),
    row('first document to its event', latencies['event']),
    row('stop', latencies['stop']),
  ]);
  console.log('p50 of startTrifold: target < 3000 ms');
}
