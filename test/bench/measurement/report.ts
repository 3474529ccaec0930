import type { Comparison } from './comparison.ts';
import { percentile, rate, type Measurement } from './statistics.ts';

/** Prints the measurements, the bare loops first. */
export function printTable({ alone, full, fullUnseen, service }: Comparison): void {
  const row = (name: string, measurement: Measurement) => ({
    '': name,
    ...latencyRow(measurement),
    'documents/s': rounded(rate(measurement)),
    'of the baseline': `${Math.round((100 * rate(measurement)) / rate(full))} %`,
  });
  console.table([
    row('bare, one browser', alone),
    row('bare, all browsers', full),
    row('bare, all browsers, no frames', fullUnseen),
    ...[...service].map(([clients, measured]) => row(`service, ${clients} clients`, measured)),
  ]);
}

/**
 * Returns the additional time that one client waits for a document compared with the bare print, at the median, in
 * milliseconds.
 */
export function waitBeyondPrint({ alone, service }: Comparison): number {
  return percentile(service.get(1)?.latencies ?? [], 0.5) - percentile(alone.latencies, 0.5);
}

/** Returns the documents per second for a number of clients. */
export function throughput({ service }: Comparison, clients: number): number {
  const measured = service.get(clients);
  return measured ? rate(measured) : Number.NaN;
}

/** Returns the median and the 95th percentile as columns of a table. */
export function latencyRow({ latencies }: Pick<Measurement, 'latencies'>) {
  return { 'p50 ms': rounded(percentile(latencies, 0.5)), 'p95 ms': rounded(percentile(latencies, 0.95)) };
}

export function rounded(value: number): number {
  return Number(value.toFixed(1));
}
