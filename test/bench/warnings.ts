import type { Pace } from './measurement/comparison.ts';
import { compareInTurn } from './measurement/in-turn.ts';
import { SEARCHED, UNSEARCHED } from './services/search-marks.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WITHOUT = new URL('./services/without-warnings.ts', import.meta.url);

/** Measures the time that the search for warnings adds to a live document. */
export async function benchWarnings(invoice: Invoice, pace: Pace): Promise<void> {
  const service = await StandaloneService.start({ NODE_OPTIONS: `--import=${WITHOUT.href}` });
  try {
    const search = await service.client.prepare(endingWith(invoice, SEARCHED));
    const plain = await service.client.prepare(endingWith(invoice, UNSEARCHED));
    await compareInTurn(
      'search for warnings in a live document (target ≤ 0.5 ms)',
      service,
      { costly: ['with the search for warnings', search], plain: ['without it', plain] },
      pace,
    );
  } finally {
    await service.stop();
  }
}

function endingWith({ template, ...invoice }: Invoice, comment: string): Invoice {
  const { spec } = template;
  return { ...invoice, template: { ...template, spec: { ...spec, html: `${spec.html ?? ''}${comment}` } } };
}
