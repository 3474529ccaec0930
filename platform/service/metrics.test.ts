import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

it('renders counters in the Prometheus text format', async () => {
  const metrics = new Metrics();
  metrics.counter({ name: 'a_total', help: 'A.', labelNames: ['kind'] }).inc({ kind: 'x' }, 3);
  metrics.gauge({ name: 'b', help: 'B.' }).set(7);
  metrics.histogram({ name: 'c_seconds', help: 'C.', buckets: [1] }).observe(0.5);
  const text = await metrics.render();
  expect(text).toContain('# TYPE a_total counter\na_total{kind="x"} 3');
  expect(text).toContain('b 7');
  expect(text).toContain('c_seconds_bucket{le="1"} 1');
  expect(metrics.contentType).toMatch(/^text\/plain/);
});

it('keeps the metrics of two instances separate and rejects a duplicate name', async () => {
  const one = new Metrics();
  const other = new Metrics();
  one.counter({ name: 'a_total', help: 'A.' }).inc();
  other.counter({ name: 'a_total', help: 'A.' });
  expect(await other.render()).toContain('a_total 0');
  expect(() => one.counter({ name: 'a_total', help: 'A.' })).toThrow(/already been registered/);
});

it('includes process metrics on request', async () => {
  const metrics = new Metrics();
  metrics.collectProcess();
  expect(await metrics.render()).toContain('process_resident_memory_bytes');
});
