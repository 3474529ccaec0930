import { CUSTOM_KINDS, type KindDefinition } from '@trifold/crds';
import { describe, expect, test } from 'vitest';
import { readCases, type Case, type JsonObject } from './case.ts';

/** The creation of an object, or a change to it if `was` is set, checked against the rules of its kind. */
interface RuleCase {
  readonly name: string;
  readonly kind: KindDefinition;
  readonly was?: JsonObject;
  readonly is: JsonObject;
  readonly isRejected: boolean;
}

const RULES = (await readCases()).filter(({ name }) => name.startsWith('rules of ')).map(ruleOf);

function ruleOf({ name, requests, text }: Case): RuleCase {
  const [created = {}, changed] = requests.map(({ body = '' }) => (JSON.parse(body) as Sent).spec);
  const kind = CUSTOM_KINDS.find((each) => name.startsWith(`rules of ${each.kind}:`))!;
  const rule = { name, kind, isRejected: text.includes('422 Invalid') };
  return changed ? { ...rule, was: created, is: changedTo(changed) } : { ...rule, is: created };
}

interface Sent {
  readonly spec: JsonObject;
}

/** The merge patches of these cases name every field, including the ones that they remove. */
function changedTo(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== null));
}

/** Whether the predicates in crds/ hold. Transition rules apply only if there is an old object. */
function holds({ kind, was, is }: RuleCase): boolean {
  return kind.rules
    .filter(({ rule: { transition } }) => was !== undefined || !transition)
    .every(({ rule, path }) => {
      const self = at(is, path);
      return self === undefined || rule.holds(self, at(was ?? {}, path) ?? {});
    });
}

function at(spec: JsonObject, path: readonly string[]): Record<string, unknown> | undefined {
  return path.reduce<Record<string, unknown> | undefined>(
    (node, member) => node?.[member] as Record<string, unknown> | undefined,
    { spec },
  );
}

test("the predicates accept and reject the same values as a kube-apiserver's CEL rules", () => {
  expect(RULES.filter((rule) => holds(rule) === rule.isRejected).map(({ name }) => name)).toEqual([]);
});

describe('at least one case violates each rule', () => {
  for (const kind of new Set(RULES.map((rule) => rule.kind))) {
    test.each(kind.rules)(`of ${kind.kind}: $rule.message`, ({ rule, path }) => {
      const cases = RULES.filter((each) => each.kind === kind);
      expect(cases.some(({ is, was }) => !rule.holds(at(is, path) ?? {}, at(was ?? {}, path) ?? {}))).toBe(
        true,
      );
    });
  }
});
