import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCases, writeCases } from './case.ts';
import { describeDiscovery } from './discovery.ts';
import { runCase } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';
import { describeWatch } from './watch.ts';

const CASES = await readCases();

/** Runs every case on a server and compares its outcomes with the recorded ones. `record` replaces these. */
export function describeConformance(start: () => Promise<ConformanceTarget>, record = false): void {
  let running: ConformanceTarget | undefined;
  const target = () => {
    if (!running) throw new Error('the server is not running');
    return running;
  };
  const texts: string[] = [];
  beforeAll(async () => {
    running = await start();
  });
  afterAll(async () => {
    await running?.stop();
    if (record) await writeCases(texts);
  });

  describe('responds as recorded from a kube-apiserver', () => {
    test.each(CASES)('$name', async (one) => {
      const text = await runCase(target(), one);
      if (record) texts.push(text);
      else expect(text).toBe(one.text);
    });
  });
  describe('watch', () => describeWatch(target));
  describe('discovery', () => describeDiscovery(target));
}
