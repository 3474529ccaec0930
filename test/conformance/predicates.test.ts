import { describe, expect, test } from 'vitest';
import type { JsonObject } from './case.ts';
import { kindOf, ruleName, RULES, type RuleCase } from './cases/cel.ts';
import { readRecording } from './recording.ts';

/** Whether the predicates of crds/ hold. Transition rules apply only if there is an old object. */
function holds(rule: RuleCase): boolean {
  return kindOf(rule)
    .rules.filter(({ rule: { transition } }) => rule.was !== undefined || !transition)
    .every((placed) => {
      const self = at(rule.is, placed.path);
      return self === undefined || placed.rule.holds(self, at(rule.was ?? {}, placed.path) ?? {});
    });
}

function at(spec: JsonObject, path: readonly string[]): Record<string, unknown> | undefined {
  return path.reduce<Record<string, unknown> | undefined>(
    (node, member) => node?.[member] as Record<string, unknown> | undefined,
    { spec },
  );
}

test('the predicates accept and reject what the CEL rules of a kube-apiserver did', async () => {
  const recording = await readRecording();
  const rejected = (rule: RuleCase) => recording.get(ruleName(rule))?.includes('422 Invalid');
  expect(RULES.filter((rule) => holds(rule) === rejected(rule)).map(ruleName)).toEqual([]);
});

describe('at least one case violates each rule', () => {
  for (const kind of new Set(RULES.map(kindOf))) {
    test.each(kind.rules)(`of ${kind.kind}: $rule.message`, ({ rule, path }) => {
      const cases = RULES.filter((each) => kindOf(each) === kind);
      expect(cases.some(({ is, was }) => !rule.holds(at(is, path) ?? {}, at(was ?? {}, path) ?? {}))).toBe(
        true,
      );
    });
  }
});
