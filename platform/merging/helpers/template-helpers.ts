import type Handlebars from 'handlebars';
import type { HelperName } from '../../templates/helper-signatures.ts';
import { HELPER_SIGNATURES } from '../../templates/helper-signatures.ts';
import type { TemplateHelper } from './arguments.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { CODES } from './codes.ts';
import { COMPARISON, isTruthy } from './comparison.ts';
import { FORMATTING } from './formatting.ts';
import { TEXT } from './text.ts';

const HELPERS: Readonly<Record<HelperName, TemplateHelper>> = {
  ...ARITHMETIC,
  ...CODES,
  ...COMPARISON,
  ...FORMATTING,
  ...TEXT,
};

/**
 * Gives templates the helpers of docs/template-helpers.md. Without arguments each name is a binding like any other: a
 * template whose data has a member called `sum` or `default` shows that.
 */
export function registerTemplateHelpers(handlebars: typeof Handlebars): void {
  for (const [name, helper] of Object.entries(HELPERS)) {
    const isCondition = HELPER_SIGNATURES[name as HelperName].block;
    handlebars.registerHelper(name, function (this: unknown, ...received: unknown[]) {
      const options = received.pop() as Handlebars.HelperOptions;
      const named = options.hash as Record<string, unknown>;
      if (received.length === 0) return bound(handlebars, this, name, options);
      const result = helper({ values: received, named });
      if (!isCondition || !isBlock(options)) return result;
      return isTruthy(result) ? options.fn(this) : options.inverse(this);
    });
  }
}

/** What Handlebars makes of the name where there is no helper. */
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

/** `{{name}}` comes without a block, whatever the types say. */
function isBlock(options: Handlebars.HelperOptions): boolean {
  return (options as Partial<Handlebars.HelperOptions>).fn !== undefined;
}
