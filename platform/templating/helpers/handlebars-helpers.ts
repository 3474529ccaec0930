import type Handlebars from 'handlebars';
import { HELPER_SIGNATURES, type HelperName } from './helper-signatures.ts';
import { MergeFailure, type TemplatePosition } from '../merge/merge-failure.ts';
import type { LocaleOptions } from '../locale-options.ts';
import { isMissing, type HelperCallArguments, type TemplateHelper } from './arguments.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CODES } from './codes.ts';
import { COMPARISON, isTruthy } from './comparison.ts';
import { FORMATTING } from './formatting.ts';
import { PAYMENT_CODES } from './payment-codes.ts';
import { TEXT } from './text.ts';

const HELPERS: Readonly<Record<HelperName, TemplateHelper>> = {
  ...ARITHMETIC,
  ...CODES,
  ...COMPARISON,
  ...FORMATTING,
  ...PAYMENT_CODES,
  ...TEXT,
};

/** Helpers in the form that Handlebars calls, by name. */
export type HelperDelegates = Readonly<Record<string, Handlebars.HelperDelegate>>;

/**
 * Returns the helpers in docs/template-helpers.md. Without arguments, each name is an ordinary binding: a template
 * whose data has a field called `sum` or `default` shows that field. `defaults`: values for named arguments that a call
 * omits or whose value is missing from the data.
 */
export function templateHelpers(handlebars: typeof Handlebars, defaults?: LocaleOptions): HelperDelegates {
  const delegates = Object.keys(HELPERS).map((key) => {
    const name = key as HelperName;
    const isCondition = HELPER_SIGNATURES[name].block;
    const delegate = function (this: unknown, ...received: unknown[]): unknown {
      const options = received.pop() as Handlebars.HelperOptions;
      if (received.length === 0 && Object.keys(options.hash as object).length === 0)
        return bound(handlebars, this, name, options);
      const named = withDefaults(options.hash as Record<string, unknown>, defaults);
      const result = run(name, { values: received, named }, options);
      if (!isCondition || !isBlock(options)) return result;
      return isTruthy(result) ? options.fn(this) : options.inverse(this);
    };
    return [name, delegate] as const;
  });
  return Object.fromEntries(delegates);
}

function withDefaults(
  named: Readonly<Record<string, unknown>>,
  defaults: LocaleOptions | undefined,
): Readonly<Record<string, unknown>> {
  if (defaults === undefined) return named;
  const missing = Object.entries(defaults).filter(([name]) => isMissing(named[name]));
  return { ...named, ...Object.fromEntries(missing) };
}

/** Handlebars passes the position of the call, which its types omit; columns count from 0. */
type LocatedOptions = Handlebars.HelperOptions & { readonly loc?: { readonly start: TemplatePosition } };

function run(name: HelperName, call: HelperCallArguments, { loc }: LocatedOptions): unknown {
  try {
    return HELPERS[name](call);
  } catch (error) {
    if (!(error instanceof MergeFailure) || loc === undefined) throw error;
    const place = { name, line: loc.start.line, column: loc.start.column + 1 };
    throw new MergeFailure(error.code, error.message, { place });
  }
}

/**
 * Returns `{{#each}}` with a fixed order for object fields: whole numbers first, then by name. An API server does not
 * preserve the order in which they were sent.
 */
export function eachByName(each: Handlebars.HelperDelegate): Handlebars.HelperDelegate {
  return function (this: unknown, value: unknown, options: Handlebars.HelperOptions): unknown {
    return each.call(this, isFields(value) ? byName(value) : value, options) as unknown;
  };
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JavaScript puts whole numbers first. */
function byName(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Returns the value that Handlebars would bind if this helper did not exist. */
function bound(
  handlebars: typeof Handlebars,
  context: unknown,
  name: string,
  options: Handlebars.HelperOptions,
): unknown {
  const isThere = typeof context === 'object' && context !== null && Object.hasOwn(context, name);
  const value = isThere ? (context as Record<string, unknown>)[name] : undefined;
  if (!isBlock(options)) return value;
  const section = handlebars.helpers['blockHelperMissing'] as Handlebars.HelperDelegate;
  return section.call(context, value, options) as unknown;
}

/** For `{{name}}`, `fn` is missing, although the types require it. */
function isBlock(options: Handlebars.HelperOptions): boolean {
  return (options as Partial<Handlebars.HelperOptions>).fn !== undefined;
}
