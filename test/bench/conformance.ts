import type { ConformanceLevel } from '@trifold/crds';
import type { Pace } from './measurement/comparison.ts';
import { compareInTurn } from './measurement/in-turn.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const LEVELS: readonly (readonly [ConformanceLevel, target: string])[] = [
  ['a-2b', 'target ≤ 5 ms'],
  ['a-2a+ua-1', 'no target'],
];

/** Measures the time that a conformance level adds to a live document. */
export async function benchConformance(invoice: Invoice, pace: Pace): Promise<void> {
  const service = await StandaloneService.start();
  try {
    const { client } = service;
    const id = await client.createTemplate(invoice);
    const generate = (options: { conformance?: ConformanceLevel }) =>
      client.generator(() => ({ template_id: id, data: invoice.data, options }));
    for (const [conformance, target] of LEVELS) {
      await compareInTurn(
        `conformance ${conformance} of a live document (${target})`,
        service,
        { costly: [conformance, generate({ conformance })], plain: ['without it', generate({})] },
        pace,
      );
    }
  } finally {
    await service.stop();
  }
}
