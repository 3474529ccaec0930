/**
 * A validation rule for both servers: `rule` is the CEL text for a real API server, `holds` is the same rule for the
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

/** Exactly one of the named members must be present. */
export function exactlyOneOf(...members: string[]): CelRule {
  const count = members.map((member) => `(has(self.${member}) ? 1 : 0)`).join(' + ');
  return {
    rule: `${count} == 1`,
    message: `exactly one of ${members.join(', ')} must be set`,
    transition: false,
    holds: (self) => members.filter((member) => self[member] !== undefined).length === 1,
  };
}

/** Once set, the member keeps its value: it cannot be changed, added or removed. */
export function immutableMembers(...members: string[]): CelRule {
  const same = members.map(
    (member) =>
      `(has(self.${member}) == has(oldSelf.${member}) && (!has(self.${member}) || self.${member} == oldSelf.${member}))`,
  );
  return {
    // Every status write evaluates the rule; comparing everything at once costs less than comparing each member.
    rule: `self == oldSelf || (${same.join(' && ')})`,
    message: `${members.join(', ')} cannot be changed`,
    transition: true,
    holds: (self, oldSelf) => members.every((member) => deepEqual(self[member], oldSelf[member])),
  };
}

/** A member is required when another has a certain value, for instance width when pageSize is custom. */
export function requiredWhen(member: string, value: string, required: readonly string[]): CelRule {
  const present = required.map((name) => `has(self.${name})`).join(' && ');
  return {
    rule: `!has(self.${member}) || self.${member} != '${value}' || (${present})`,
    message: `${required.join(' and ')} must be set when ${member} is ${value}`,
    transition: false,
    holds: (self) => self[member] !== value || required.every((name) => self[name] !== undefined),
  };
}

/** Members are allowed only while another has a certain value, for instance width while pageSize is custom. */
export function onlyWhen(member: string, value: string, dependents: readonly string[]): CelRule {
  const absent = dependents.map((name) => `!has(self.${name})`).join(' && ');
  return {
    rule: `(${absent}) || (has(self.${member}) && self.${member} == '${value}')`,
    message: `${dependents.join(' and ')} need ${member} ${value} beside them`,
    transition: false,
    holds: (self) => self[member] === value || dependents.every((name) => self[name] === undefined),
  };
}

function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const leftEntries = Object.entries(left);
  if (Array.isArray(left) !== Array.isArray(right) || leftEntries.length !== Object.keys(right).length)
    return false;
  return leftEntries.every(([key, value]) => deepEqual(value, (right as Record<string, unknown>)[key]));
}
