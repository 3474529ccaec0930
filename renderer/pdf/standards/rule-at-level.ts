import type { ConformanceLevel } from '@trifold/crds';
import { identificationOf, isAccessible } from './level.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules.ts';
import { UA_RULES } from './ua-rules.ts';

type Checked<Rules extends Readonly<Record<string, { readonly by: string }>>> = {
  [Name in keyof Rules]: Rules[Name]['by'] extends 'check' ? Name : never;
}[keyof Rules];

type ArchiveRule = keyof typeof RULES;
type AccessRule = keyof typeof UA_RULES;
export type RuleName = ArchiveRule | AccessRule;
/** A rule that a finished file can break. */
export type CheckedRule = Checked<typeof RULES> | Checked<typeof UA_RULES>;

/** PDF/UA rules by the equivalent PDF/A rule. */
const TWINS: ReadonlyMap<RuleName, AccessRule> = new Map(
  Object.entries(UA_RULES).flatMap(([name, rule]) =>
    'of' in rule ? [[rule.of, name as AccessRule] as const] : [],
  ),
);

export function applies(rule: RuleName, level: ConformanceLevel): boolean {
  if (isAccessRule(rule)) return isAccessible(level);
  const { scope }: Rule = RULES[rule];
  const { archive } = identificationOf(level);
  if (!archive) return false;
  return scope === undefined || scope === String(archive.part) || scope.includes(archive.conformance);
}

/** Returns a level's equivalent of a rule; undefined if the level has none. */
export function ruleAt(rule: RuleName, level: ConformanceLevel): RuleName | undefined {
  return [rule, TWINS.get(rule)].find((name) => name !== undefined && applies(name, level));
}

/** Returns a rule's standard and clause: `ISO 19005-2, 6.1.13`. */
export function clauseOf(rule: RuleName, level: ConformanceLevel): string {
  const clause = rule.replace(/-\d+$/, '');
  if (isAccessRule(rule)) return `ISO 14289-1, ${clause}`;
  return `ISO 19005-${identificationOf(level).archive?.part ?? ''}, ${clause}`;
}

function isAccessRule(rule: RuleName): rule is AccessRule {
  return Object.hasOwn(UA_RULES, rule);
}
