import { Type, type Static, type TObject, type TOptional, type TSchema } from 'typebox';
import { onlyWhen, requiredWhen, type CelRule } from './cel.ts';
import type { DocumentFormat } from './document-format.ts';

/**
 * An option: a JSON Schema with additional keywords (`x-`). Everything is derived from this one value: schemas, types,
 * rules, defaults, precedence, conversions, the dashboard's form and the tables in the docs.
 */
export interface OptionSchema {
  readonly type: string;
  /** Only the meaning; `optionDescription` adds values, default and formats. */
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly 'x-pattern-message'?: string;
  /** Strings in a list. */
  readonly items?: ListItem;
  /** Options in a group. */
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  /** Label of its field in a form. */
  readonly 'x-label': string;
  /**
   * Value if neither the request nor the template sets one. A server would write a JSON Schema `default` into requests.
   */
  readonly 'x-default'?: string | number | boolean;
  /** Whether the string is HTML. */
  readonly 'x-html'?: true;
  /** Whether the string, or each string of the list, may have `{{bindings}}`. */
  readonly 'x-bindings'?: true;
  /** By value: the options that this value requires and no other value allows. */
  readonly 'x-requires'?: Readonly<Record<string, readonly string[]>>;
  /** In `/v1`, one value of this type stands for a group whose fields all have this value. */
  readonly 'x-shorthand'?: TSchema;
  /** In `/v1`, `false` stands for a group with these values. */
  readonly 'x-false'?: Readonly<Record<string, string | number | boolean>>;
  /** `/v1` rejects a request that combines the option with any other format. @default all formats */
  readonly 'x-formats'?: readonly DocumentFormat[];
}

interface ListItem {
  readonly type: 'string';
  readonly maxLength: number;
}

interface OptionWords<Value> {
  readonly label: string;
  readonly description: string;
  readonly default?: Value;
  readonly requires?: Readonly<Record<string, readonly string[]>>;
  readonly formats?: readonly DocumentFormat[];
}

interface GroupWords {
  readonly label: string;
  readonly description: string;
  readonly shorthand?: TSchema;
  readonly whenFalse?: OptionSchema['x-false'];
}

/** Type of an option that always has a value once resolved. */
interface Defaulted {
  readonly 'x-default': string | number | boolean;
}

type Members = Readonly<Record<string, OptionSchema>>;
type Optional<Options extends Members> = { [Name in keyof Options]: TOptional<Options[Name]> };

/** Declares an option with a TypeBox type. */
export function option<Type extends TSchema, const Words extends OptionWords<Static<Type>>>(
  type: Type,
  words: Words,
): Type & OptionSchema & (Words extends { default: unknown } ? Defaulted : unknown) {
  const { label, description, default: value, requires, formats } = words;
  const keywords = { 'x-default': value, 'x-requires': requires, 'x-formats': formats };
  const given = Object.entries(keywords).filter(([, keyword]) => keyword !== undefined);
  const schema = { ...type, description, 'x-label': label, ...Object.fromEntries(given) };
  return schema as Type & OptionSchema & Defaulted;
}

/** Declares a group of options, each of which is optional. */
export function group<const Options extends Members>(
  options: Options,
  { label, description, shorthand, whenFalse }: GroupWords,
): TObject<Optional<Options>> & Omit<OptionSchema, 'properties'> {
  const properties = mapMembers(options, (member) => Type.Optional(member)) as Optional<Options>;
  const keywords = {
    description,
    'x-label': label,
    ...(shorthand && { 'x-shorthand': shorthand }),
    ...(whenFalse && { 'x-false': whenFalse }),
  };
  return Type.Object(properties, keywords) as TObject<Optional<Options>> & Omit<OptionSchema, 'properties'>;
}

/** Options with a value for every field that has a default. */
export type Resolved<Option> = Option extends { properties: infer Options }
  ? {
      readonly [Name in keyof Options as Options[Name] extends Settled ? Name : never]: Resolved<
        Options[Name]
      >;
    } & {
      readonly [Name in keyof Options as Options[Name] extends Settled ? never : Name]?: Resolved<
        Options[Name]
      >;
    }
  : Option extends TSchema
    ? Static<Option>
    : never;
type Settled = Defaulted | { properties: object };

/** Merges values of an option over its default, highest precedence first; groups are merged field by field. */
export function resolveOption(option: OptionSchema, layers: readonly unknown[]): unknown {
  const { properties } = option;
  if (!properties) return layers.find((value) => value !== undefined) ?? option['x-default'];
  const groups = layers.filter((layer) => layer !== undefined) as Readonly<Record<string, unknown>>[];
  const members = Object.entries(properties).map(([name, member]) => {
    const values = groups.map((layer) => layer[name]);
    return [name, resolveOption(member, values)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** A string with bindings, and its path in a resource: `header`, `content`. */
export interface BoundText {
  readonly path: readonly string[];
  readonly text: string;
}

/** Returns the strings with bindings among an option's values, in declaration order. */
export function boundTexts(option: OptionSchema, value: unknown, path: readonly string[] = []): BoundText[] {
  if (value === undefined) return [];
  const { properties, 'x-bindings': hasBindings } = option;
  if (properties) {
    const values = value as Readonly<Record<string, unknown>>;
    return Object.entries(properties).flatMap(([name, member]) =>
      boundTexts(member, values[name], [...path, name]),
    );
  }
  if (!hasBindings) return [];
  if (typeof value === 'string') return [{ path, text: value }];
  return (value as readonly string[]).map((text, index) => ({ path: [...path, String(index)], text }));
}

/** Returns the rules for the options of one source (a request, a template). */
export function rulesOf({ properties = {} }: OptionSchema): readonly CelRule[] {
  return requirementsOf(properties).flatMap(({ name, value, required }) => [
    requiredWhen(name, value, required),
    onlyWhen(name, value, required),
  ]);
}

/** Returns the paths of the options that are HTML. */
export function htmlPaths({
  properties = {},
  'x-html': isHtml,
}: OptionSchema): readonly (readonly string[])[] {
  if (isHtml) return [[]];
  return Object.entries(properties).flatMap(([name, member]) =>
    htmlPaths(member).map((path) => [name, ...path]),
  );
}

/** Returns which option values require other options. */
export function requirementsOf(options: Members) {
  return Object.entries(options).flatMap(([name, { 'x-requires': requires = {} }]) =>
    Object.entries(requires).map(([value, required]) => ({ name, value, required })),
  );
}

/** Returns the name of an option in `/v1`: `page_size` for `pageSize`. */
export function apiName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Returns a human-readable description of the values that a string or number may have; undefined if the type says it
 * all.
 */
export function valuesOf(option: OptionSchema): string | undefined {
  const { minimum, maximum, maxLength, items, maxItems, 'x-pattern-message': message } = option;
  if (items) return `at most ${maxItems} strings of at most ${items.maxLength} characters`;
  if (message !== undefined) return message.replace('must be ', '');
  if (minimum !== undefined) return `${minimum} to ${maximum}`;
  return maxLength === undefined ? undefined : `at most ${maxLength} characters`;
}

/** Returns a human-readable list of the formats that an option applies to; undefined if it applies to all. */
export function formatsOf({ 'x-formats': formats }: OptionSchema): string | undefined {
  return formats && `applies to ${formats.join(' and ')} only`;
}

/** Returns the description of an option with its values, default and formats. */
export function optionDescription(option: OptionSchema): string {
  const { description, 'x-default': value = '' } = option;
  const more = [valuesOf(option), value === '' ? undefined : `default: ${value}`, formatsOf(option)];
  const sentences = more.flatMap((text) =>
    text === undefined ? [] : [`${text[0]?.toUpperCase()}${text.slice(1)}.`],
  );
  return [description, ...sentences].join(' ');
}

/** Returns the schema of an option in a resource. A CRD does not accept our custom keywords. */
export function kindSchema(option: OptionSchema): object {
  const { type, enum: values, minimum, maximum, maxLength, pattern, items, maxItems, properties } = option;
  return {
    type,
    enum: values,
    minimum,
    maximum,
    maxLength,
    pattern,
    items,
    maxItems,
    description: optionDescription(option),
    properties: properties && mapMembers(properties, kindSchema),
  };
}

function mapMembers<Result>(
  options: Members,
  change: (member: OptionSchema) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(options).map(([name, member]) => [name, change(member)]));
}
