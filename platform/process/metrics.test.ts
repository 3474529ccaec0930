import { expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

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
