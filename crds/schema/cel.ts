import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';

/**
 * A validation rule for both servers: `rule` is the CEL source for a real API server, `holds` is the same rule for the
 * embedded one. One accept/reject table in the tests runs on both.
 */
export interface CelRule {
  /** CEL, with `self` (and `oldSelf` in a transition rule). */
  readonly rule: string;
  readonly message: string;
  /** A transition rule compares with the old object and is skipped on create. */
  readonly transition: boolean;
  holds(self: Record<string, unknown>, oldSelf: Record<string, unknown>): boolean;
}

/** A rule and its path in the object, for instance `['spec']`. */
export interface PlacedRule {
  readonly path: readonly string[];
  readonly rule: CelRule;
}

/** Returns the rule with the given CEL source. A rule that reads oldSelf is a transition rule. */
export function celRule(rule: string, message: string, holds: CelRule['holds']): CelRule {
  return { rule, message, holds, transition: rule.includes('oldSelf') };
}

/** Exactly one of the named fields must be present. */
export function exactlyOneOf(...members: string[]): CelRule {
  const count = members.map((member) => `(has(self.${member}) ? 1 : 0)`).join(' + ');
  return celRule(
    `${count} == 1`,
    `exactly one of ${members.join(', ')} must be set`,
    (self) => members.filter((member) => self[member] !== undefined).length === 1,
  );
}

/** Once set, the field keeps its value: it cannot be changed, added or removed. */
export function immutableMembers(...members: string[]): CelRule {
  const same = members.map(
    (member) =>
      `(has(self.${member}) == has(oldSelf.${member}) && (!has(self.${member}) || self.${member} == oldSelf.${member}))`,
  );
  return celRule(
    // Every status write evaluates the rule; comparing everything together costs less than comparing each field.
    `self == oldSelf || (${same.join(' && ')})`,
    `${members.join(', ')} cannot be changed`,
    (self, oldSelf) => members.every((member) => isDeepStrictEqual(self[member], oldSelf[member])),
  );
}

/** Every field of the spec except `mutable` is immutable. */
export function immutableExcept(spec: TObject, ...mutable: string[]): CelRule {
  return immutableMembers(...Object.keys(spec.properties).filter((member) => !mutable.includes(member)));
}

/** A field is required if another has a certain value, for instance width if pageSize is custom. */
export function requiredWhen(member: string, value: string, required: readonly string[]): CelRule {
  const present = required.map((name) => `has(self.${name})`).join(' && ');
  return celRule(
    `!has(self.${member}) || self.${member} != '${value}' || (${present})`,
    `${required.join(' and ')} must be set when ${member} is ${value}`,
    (self) => self[member] !== value || required.every((name) => self[name] !== undefined),
  );
}

/** The strings at these paths have at most `limit` characters in total. */
export function atMostTogether(
  paths: readonly (readonly string[])[],
  limit: number,
  message: string,
): CelRule {
  const sizes = paths.map((path) => {
    const present = path.map((_, index) => `has(self.${path.slice(0, index + 1).join('.')})`).join(' && ');
    return `(${present} ? size(self.${path.join('.')}) : 0)`;
  });
  return celRule(`${sizes.join(' + ')} <= ${limit}`, message, (self) => charactersAt(paths, self) <= limit);
}

/** Returns the number of characters in the strings at these paths, as CEL and JSON Schema count them. */
export function charactersAt(paths: readonly (readonly string[])[], self: unknown): number {
  const textAt = (path: readonly string[]) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], self);
  return paths.reduce((sum, path) => sum + Array.from((textAt(path) ?? '') as string).length, 0);
}

/** Fields are allowed only if another has a certain value, for instance width if pageSize is custom. */
export function onlyWhen(member: string, value: string, dependents: readonly string[]): CelRule {
  const absent = dependents.map((name) => `!has(self.${name})`).join(' && ');
  return celRule(
    `(${absent}) || (has(self.${member}) && self.${member} == '${value}')`,
    `${dependents.join(' and ')} can be set only when ${member} is ${value}`,
    (self) => self[member] === value || dependents.every((name) => self[name] === undefined),
  );
}
