import { isDeepStrictEqual } from 'node:util';
import {
  apiName,
  findHtmlProblem,
  formatsOf,
  optionDescription,
  PRINT_OPTIONS,
  requirementsOf,
  type OptionSchema,
  type RenderOptions,
} from '@trifold/crds';
import { Type, type Static, type TSchema } from 'typebox';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';

type ApiName<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ApiName<Rest>}`
  : '';
type Shorthand<Option> = Option extends { 'x-shorthand': infer Type extends TSchema } ? Static<Type> : never;
type ApiValue<Option> = Option extends { properties: infer Options }
  ? { [Name in keyof Options as ApiName<Name>]?: ApiValue<Options[Name]> } | Shorthand<Option>
  : Option extends TSchema
    ? Static<Option>
    : never;

/** Generation options as the API writes them (interface, "Generation options"). */
export type ApiOptions = Exclude<ApiValue<typeof PRINT_OPTIONS>, string>;
export const ApiOptions = Type.Unsafe<ApiOptions>({
  ...apiSchema(PRINT_OPTIONS),
  title: 'GenerationOptions',
});

function apiSchema(option: OptionSchema): object {
  const { type, enum: values, minimum, maximum, maxLength, pattern, items, maxItems, properties } = option;
  const description = optionDescription(option);
  if (properties) return groupSchema(option, properties, description);
  return {
    type,
    enum: values,
    minimum,
    maximum,
    items,
    maxItems,
    // The pattern also limits the length, so an overlong string gets one error, not two.
    ...(pattern === undefined
      ? { maxLength }
      : { pattern, 'x-pattern-message': option['x-pattern-message'] }),
    description,
  };
}

function groupSchema(
  { 'x-shorthand': shorthand, 'x-false': whenFalse }: OptionSchema,
  options: NonNullable<OptionSchema['properties']>,
  description: string,
): object {
  const members = Object.entries(options).map(
    ([name, member]) => [apiName(name), apiSchema(member)] as const,
  );
  const schema = { type: 'object', additionalProperties: false, properties: Object.fromEntries(members) };
  if (whenFalse) return { anyOf: [{ type: 'boolean', enum: [false] }, schema], description };
  if (!shorthand) return { ...schema, description };
  const names = members.map(([name]) => name).join(', ');
  const { maxLength: _maxLength, ...short } = shorthand as { maxLength?: number };
  return { anyOf: [{ ...short, description: `One value for ${names}.` }, schema], description };
}

/**
 * Converts API options to resource options. Throws ApiError `invalid_request` for fields that cannot be combined or do
 * not apply to `format`, or for too much HTML.
 */
export function toRenderOptions(options: ApiOptions, pointer: string, format?: string): RenderOptions {
  const problems = [...missingOrNeedless(options), ...inapplicable(options, format)];
  if (problems.length > 0)
    throw invalid(problems.map(({ path, message }) => ({ path: pointer + path, message })));
  const converted = toKind(PRINT_OPTIONS, options) as RenderOptions;
  const tooLong = findHtmlProblem(converted);
  if (tooLong !== undefined) throw invalid([{ path: pointer, message: tooLong }]);
  return converted;
}

/** Converts resource options to API options. */
export function fromRenderOptions(options: RenderOptions): ApiOptions {
  return toApi(PRINT_OPTIONS, options) as ApiOptions;
}

type Values = Readonly<Record<string, unknown>>;

function toKind(
  { properties, 'x-shorthand': shorthand, 'x-false': whenFalse }: OptionSchema,
  value: unknown,
): unknown {
  if (!properties || value === undefined) return value;
  if (whenFalse && value === false) return whenFalse;
  const isShort = shorthand !== undefined && typeof value !== 'object';
  return mapped(properties, ([name, member]) => {
    return [name, isShort ? value : toKind(member, (value as Values)[apiName(name)])];
  });
}

function toApi({ properties, 'x-false': whenFalse }: OptionSchema, value: unknown): unknown {
  if (!properties || value === undefined) return value;
  if (whenFalse && isDeepStrictEqual(value, whenFalse)) return false;
  return mapped(properties, ([name, member]) => [apiName(name), toApi(member, (value as Values)[name])]);
}

/** Returns the options that have a value. */
function mapped(
  options: Readonly<Record<string, OptionSchema>>,
  convert: (entry: [string, OptionSchema]) => [string, unknown],
): Values {
  return Object.fromEntries(
    Object.entries(options)
      .map(convert)
      .filter(([, value]) => value !== undefined),
  );
}

/**
 * Options that a value of another option requires (`page_size` custom: width and height) are allowed only with that
 * value.
 */
function missingOrNeedless(options: Values): ErrorDetail[] {
  return requirementsOf(PRINT_OPTIONS.properties).flatMap(({ name, value, required }) => {
    const isChosen = options[apiName(name)] === value;
    const message = isChosen
      ? `is required when ${apiName(name)} is ${value}`
      : `requires ${apiName(name)} ${value}`;
    const wrong = required.map(apiName).filter((member) => (options[member] === undefined) === isChosen);
    return wrong.map((member) => ({ path: `/${member}`, message }));
  });
}

function inapplicable(options: Values, format: string | undefined): ErrorDetail[] {
  return Object.entries<OptionSchema>(PRINT_OPTIONS.properties).flatMap(([name, option]) => {
    const applies = option['x-formats']?.some((known) => known === format) ?? true;
    if (format === undefined || applies || options[apiName(name)] === undefined) return [];
    return [{ path: `/${apiName(name)}`, message: formatsOf(option) ?? '' }];
  });
}

function invalid(details: readonly ErrorDetail[]): ApiError {
  const sentences = details.map(({ path, message }) => `${path} ${message}`);
  return new ApiError('invalid_request', `${sentences.join('; ')}.`, { details });
}
