import { findBrowser } from '@trifold/renderer/browser/process/find-browser.ts';
import { BareLoop } from './measurement/bare-loop.ts';
import type { Pace } from './measurement/comparison.ts';
import { rounded } from './measurement/report.ts';
import { closedLoop, percentile, pooled, type Measurement } from './measurement/statistics.ts';
import { StandaloneService } from './services/standalone-service.ts';
import type { Invoice } from './workload/invoice.ts';

const WARM_UP_MS = 2000;

/**
 * Measures `POST /v1/templates/preview` of the standalone service with one client, in alternation with the bare print of
 * the same document. Each preview has another html, as while somebody types.
 */
export async function benchPreviewRoute(invoice: Invoice, { milliseconds, rounds }: Pace): Promise<void> {
  const configured = process.env['TRIFOLD_BROWSER'];
  const bare = await BareLoop.open(await findBrowser({ ...(configured && { configured }) }), 1, 'drawn');
  const service = await StandaloneService.start([process.execPath, 'standalone/main.ts']);
  try {
    const print = async () => void (await bare.print(0, invoice));
    const preview = previewsOf(service, invoice);
    for (const work of [print, preview]) await closedLoop(1, WARM_UP_MS, work);
    const printed: Measurement[] = [];
    const previewed: Measurement[] = [];
    for (let round = 0; round < rounds; round += 1) {
      printed.push(await closedLoop(1, milliseconds, print));
      previewed.push(await closedLoop(1, milliseconds, preview));
    }
    const [printMs, previewMs] = [printed, previewed].map((measured) =>
      percentile(pooled(measured).latencies, 0.5),
    ) as [number, number];
    console.log(
      `preview p50 ${rounded(previewMs)} ms: bare print (${rounded(printMs)} ms) + ${rounded(previewMs - printMs)} ms (target ≤ 15 ms)`,
    );
  } finally {
    await Promise.all([bare.close(), service.stop()]);
  }
}

function previewsOf({ client }: StandaloneService, { template, data }: Invoice): () => Promise<void> {
  const { html = '', css, schema, defaultOptions } = template.spec;
  const default_options = { page_size: 'a4', margins: defaultOptions?.margins };
  let count = 0;
  return async () => {
    count += 1;
    const body = { html: `${html}<!-- ${count} -->`, css, schema, default_options, data };
    await client.send('POST', '/v1/templates/preview', body);
  };
}
