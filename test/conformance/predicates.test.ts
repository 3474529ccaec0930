import { describe, expect, test } from 'vitest';
import type { JsonObject } from './case.ts';
import { kindOf, ruleName, RULES, type RuleCase } from './cases/cel.ts';

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

describe('Predicates agree with the CEL rules', () => {
  for (const rule of RULES) {
    test(ruleName(rule), () => {
      expect(holds(rule)).toBe(rule.holds);
    });
  }
});

test('at least one case violates each rule of each kind', () => {
  for (const kind of new Set(RULES.map(kindOf))) {
    for (const { rule, path } of kind.rules) {
      const broken = RULES.filter((each) => kindOf(each) === kind && !each.holds).some(
        (each) => !rule.holds(at(each.is, path) ?? {}, at(each.was ?? {}, path) ?? {}),
      );
      expect(broken, rule.message).toBe(true);
    }
  }
});
