import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILTIN_CASES } from './cases/builtins.ts';
import { CEL_CASES } from './cases/cel.ts';
import { DELETION_CASES } from './cases/deletion.ts';
import { DISCOVERY_CASES } from './cases/discovery.ts';
import { HTTP_CASES } from './cases/http.ts';
import { OBJECT_CASES } from './cases/objects.ts';
import { PATCH_CASES } from './cases/patches.ts';
import { LIST_CASES, SELECTOR_CASES } from './cases/reads.ts';
import { INVALID_OBJECT_CASES } from './cases/invalid-objects.ts';
import { TABLE_CASES } from './cases/tables.ts';
import { VALIDATION_CASES } from './cases/validation.ts';
import { VERSION_CASES } from './cases/versions.ts';
import { DRY_RUN_CASES, FIELD_VALIDATION_CASES, STATUS_CASES } from './cases/writes.ts';
import type { Case } from './case.ts';
import { describeDiscovery } from './discovery.ts';
import { describeOwners } from './owners.ts';
import { runCase } from './run-case.ts';
import type { ConformanceTarget } from './target.ts';
import { describeWatch } from './watch.ts';

/** One test per table: its cases differ in one object, and a failure lists every case that fails. */
const TABLES_OF_OBJECTS: Readonly<Record<string, readonly Case[]>> = {
  'rejects objects that violate their schema': INVALID_OBJECT_CASES,
  'applies the CEL rules of the kinds': CEL_CASES,
};

const TABLES: Readonly<Record<string, readonly Case[]>> = {
  objects: OBJECT_CASES,
  validation: VALIDATION_CASES,
  'field validation': FIELD_VALIDATION_CASES,
  'dry run': DRY_RUN_CASES,
  status: STATUS_CASES,
  patches: PATCH_CASES,
  deletion: DELETION_CASES,
  selectors: SELECTOR_CASES,
  lists: LIST_CASES,
  versions: VERSION_CASES,
  tables: TABLE_CASES,
  http: HTTP_CASES,
  'built-in kinds': BUILTIN_CASES,
  discovery: DISCOVERY_CASES,
};

/** Behaviour that Trifold requires of every API server, real or embedded. */
export function describeConformance(
  server: ConformanceTarget['server'],
  start: () => Promise<ConformanceTarget>,
): void {
  let running: ConformanceTarget | undefined;
  const target = () => {
    if (!running) throw new Error('the server is not running');
    return running;
  };
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.stop());

  const casesHere = (cases: readonly Case[]) =>
    cases.filter(({ only }) => only === undefined || only.server === server);

  for (const [name, cases] of Object.entries(TABLES_OF_OBJECTS)) {
    test(name, async () => {
      const failures: Record<string, string> = {};
      for (const each of casesHere(cases)) {
        await runCase(target(), each).catch((error: Error) => (failures[each.name] = error.message));
      }
      expect(failures).toEqual({});
    });
  }
  for (const [table, cases] of Object.entries(TABLES)) {
    describe(table, () => {
      for (const each of casesHere(cases)) test(each.name, () => runCase(target(), each));
    });
  }
  describe('watch', () => describeWatch(target));
  describe('discovery', () => describeDiscovery(target));
  if (server === 'embedded') describe('owner references', () => describeOwners(target));
}
