import type { Pace } from './measurement/comparison.ts';
import { latencyRow, rounded } from './measurement/report.ts';
import { alternate, closedLoop, percentile, rate, type Measurement } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import { templateBody } from './workload/bench-client.ts';
import type { Invoice } from './workload/invoice.ts';

/** Compares a saved template with the same template inline, either identical or different in each request. */
export async function benchInline(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const service = await StandaloneService.start();
  try {
    const { client } = service;
    const template = templateBody(invoice);
    const saved = await client.prepare(invoice);
    const repeated = client.generator(() => ({ template, data: invoice.data }));
    let count = 0;
    const different = client.generator(() => ({
      template: { ...template, html: `${template.html}<!-- ${(count += 1)} -->` },
      data: invoice.data,
    }));
    for (const generate of [saved, repeated, different]) await closedLoop(8, 2000, generate);
    const measured = await alternate(rounds, {
      savedAlone: () => closedLoop(1, milliseconds, saved),
      repeatedAlone: () => closedLoop(1, milliseconds, repeated),
      saved: () => closedLoop(8, milliseconds, saved),
      repeated: () => closedLoop(8, milliseconds, repeated),
      different: () => closedLoop(8, milliseconds, different),
    });
    print(measured);
  } finally {
    await service.stop();
  }
}

type Contender = 'savedAlone' | 'repeatedAlone' | 'saved' | 'repeated' | 'different';

function print(measured: Readonly<Record<Contender, Measurement>>): void {
  const row = (name: string, measurement: Measurement) => ({
    '': name,
    ...latencyRow(measurement),
    'documents/s': rounded(rate(measurement)),
  });
  console.table([
    row('saved, 1 client', measured.savedAlone),
    row('in the request, 1 client', measured.repeatedAlone),
    row('saved, 8 clients', measured.saved),
    row('in the request, 8 clients', measured.repeated),
    row('another in each request, 8 clients', measured.different),
  ]);
  const median = ({ latencies }: Measurement) => percentile(latencies, 0.5);
  const more = median(measured.repeatedAlone) - median(measured.savedAlone);
  console.log(`repeated template in the request: saved + ${more.toFixed(2)} ms (target ≤ 1 ms)`);
  const share = Math.round((100 * rate(measured.different)) / rate(measured.saved));
  console.log(
    `another template in each request: ${share} % of the throughput of a saved one (target ≥ 70 %)`,
  );
}
