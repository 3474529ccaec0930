import type { GenerationOptions } from '@trifold/client';
import { formatJson, isObject } from '../json-text.ts';
import DATA from '../../generated/options.json';

type Values = Readonly<Record<string, unknown>>;

/** A generation option, as `npm run generate` derives it from its declaration (crds/schema/render-options.ts). */
export interface Option {
  readonly name: string;
  /** Name in the Template kind. */
  readonly kindName: string;
  readonly kind: 'choice' | 'flag' | 'number' | 'length' | 'text' | 'html' | 'list' | 'group';
  readonly label: string;
  readonly description: string;
  readonly default?: string | number | boolean;
  /** The values of a choice. */
  readonly values?: readonly string[];
  readonly pattern?: string;
  /** A human-readable description of what the pattern accepts. */
  readonly accepts?: string;
  /** By value: the options that this value requires and other values do not allow. */
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  /** Options of a group. */
  readonly members?: readonly Option[];
  /** Whether one value may stand for a group whose fields all have this value. */
  readonly hasShorthand?: boolean;
  /** The values that `false` stands for, in place of a group. */
  readonly whenFalse?: Values;
}

export const OPTIONS = DATA as readonly Option[];

/** Returns the JSON of the options with one value changed; undefined removes it. */
export function withOption(options: GenerationOptions, name: string, value: unknown): string {
  const changed = withValue(options, name, value);
  return Object.keys(changed).length === 0 ? '' : formatJson(changed);
}

/** An existing property keeps its position. */
function withValue(values: Values, name: string, value: unknown): Values {
  if (value !== undefined) return { ...values, [name]: value };
  const { [name]: _removed, ...others } = values;
  return others;
}

/** Returns the JSON of the options with one field of a group changed. Uses the shorthand if all fields are equal. */
export function withMember(options: GenerationOptions, group: Option, name: string, value: unknown): string {
  const members = withValue(valuesOfMembers(group, options), name, value);
  const [first, ...others] = group.members?.map((member) => members[member.name]) ?? [];
  if (group.hasShorthand && others.every((other) => other === first)) {
    return withOption(options, group.name, first);
  }
  return withOption(options, group.name, Object.keys(members).length === 0 ? undefined : members);
}

/** Returns the value of a nested group with one field changed. */
export function withInnerMember(group: Option, value: unknown, name: string, changed: unknown): unknown {
  const whole = expanded(group, value);
  const { [name]: cleared } = group.whenFalse ?? {};
  const members = withValue(isObject(whole) ? whole : {}, name, changed ?? cleared);
  return formatJson(members) === formatJson(group.whenFalse) ? false : members;
}

/** Returns the values of a group's fields, even if one value stands for all. The JSON may have a different form. */
export function valuesOfMembers(group: Option, options: GenerationOptions): Values {
  const value = expanded(group, (options as Values)[group.name]);
  return isObject(value) ? value : {};
}

/** Expands a value that stands for all fields; returns any other value unchanged. */
export function expanded({ hasShorthand, whenFalse, members = [] }: Option, value: unknown): unknown {
  if (whenFalse && value === false) return whenFalse;
  if (hasShorthand !== true || typeof value !== 'string') return value;
  return Object.fromEntries(members.map(({ name }) => [name, value]));
}

/** Returns the values of a group's fields, by group name. A field without a valid value has its default. */
export function resolvedMembers(groupName: string, options: GenerationOptions): Values {
  const group = OPTIONS.find(({ name }) => name === groupName);
  const values = group ? valuesOfMembers(group, options) : {};
  const members = group?.members?.map((member) => {
    const { [member.name]: value = member.default } = values;
    return [member.name, isValid(member, value) ? value : member.default];
  });
  return Object.fromEntries(members ?? []) as Values;
}

/** Whether a string has the format that its option requires. */
export function isValid({ pattern }: Option, value: unknown): boolean {
  return pattern === undefined || (typeof value === 'string' && new RegExp(pattern).test(value));
}

/** Whether the other options allow this one: a width requires a custom page. */
export function isAllowed({ name }: Option, options: GenerationOptions): boolean {
  return OPTIONS.every((other) =>
    Object.entries(other.requires ?? {}).every(
      ([value, required]) => !required.includes(name) || (options as Values)[other.name] === value,
    ),
  );
}
