import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILTINS } from './cases/builtins.ts';
import { CEL } from './cases/cel.ts';
import { DELETION } from './cases/deletion.ts';
import { HTTP } from './cases/http.ts';
import { INVALID_OBJECTS } from './cases/invalid-objects.ts';
import { OBJECTS } from './cases/objects.ts';
import { PATCHES } from './cases/patches.ts';
import { LISTS, SELECTORS, VERSIONS } from './cases/reads.ts';
import { TABLES } from './cases/tables.ts';
import { VALIDATION } from './cases/validation.ts';
import { DRY_RUN, FIELD_VALIDATION, STATUS } from './cases/writes.ts';
import type { Cases } from './case.ts';
import { describeDiscovery } from './discovery.ts';
import { readRecording } from './recording.ts';
import { runCase } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';
import { describeWatch } from './watch.ts';

const CASES: Cases = {
  ...OBJECTS,
  ...VALIDATION,
  ...FIELD_VALIDATION,
  ...DRY_RUN,
  ...STATUS,
  ...PATCHES,
  ...DELETION,
  ...SELECTORS,
  ...LISTS,
  ...VERSIONS,
  ...TABLES,
  ...HTTP,
  ...BUILTINS,
  ...INVALID_OBJECTS,
  ...CEL,
};

/** Runs every case on a server, and compares its outcomes with the recorded ones. `record` replaces the recording. */
export function describeConformance(
  start: () => Promise<ConformanceTarget>,
  record?: (blocks: Iterable<string>) => Promise<void>,
): void {
  let running: ConformanceTarget | undefined;
  const target = () => {
    if (!running) throw new Error('the server is not running');
    return running;
  };
  let recording = new Map<string, string>();
  beforeAll(async () => {
    recording = record ? new Map() : await readRecording();
    running = await start();
  });
  afterAll(async () => {
    await running?.stop();
    await record?.(recording.values());
  });

  describe('answers as a kube-apiserver was recorded to answer', () => {
    for (const [name, requests] of Object.entries(CASES)) {
      test(name, async () => {
        const outcome = await runCase(target(), name, requests);
        if (record) recording.set(name, outcome);
        else expect(outcome).toBe(recording.get(name));
      });
    }
  });
  describe('watch', () => describeWatch(target));
  describe('discovery', () => describeDiscovery(target));
}
