import type Handlebars from 'handlebars';
import { templateHelpers, type HelperDelegates } from '../../templating/helpers/handlebars-helpers.ts';
import { isMissing } from '../../templating/helpers/arguments.ts';
import { MergeFailure } from '../../templating/merge/merge-failure.ts';
import { isolatedHandlebars } from '../../templating/merge/template-compiler.ts';
import type { LocaleOptions } from '../../templating/locale-options.ts';
import type { Binding } from './binding.ts';
import { contextsOf, resolvePath, rootOf, type Scope } from './scope.ts';

/** The value of a binding. `missing`: JSON Pointer to the field that the data does not have. */
export type Evaluated =
  | { readonly value: string; readonly path?: string }
  | { readonly missing: string | undefined }
  | { readonly problem: string; readonly path?: string };

type Compiled = (context: unknown, options: object) => string;

/** Evaluates one document's bindings. */
export class BindingEvaluator {
  readonly #handlebars: typeof Handlebars = isolatedHandlebars();
  readonly #helpers: HelperDelegates;
  readonly #compiled = new Map<string, Compiled>();

  constructor({ locale, timeZone }: LocaleOptions) {
    this.#helpers = templateHelpers(this.#handlebars, { locale, timeZone });
  }

  /**
   * A binding is missing if the data has none of the fields that it shows. If it has only some of them, the value would
   * be incomplete, which is a problem.
   */
  evaluate(binding: Binding, scope: Scope): Evaluated {
    if (binding.isConstant) return nonEmpty(binding.text, undefined);
    if (binding.path) return this.#field(binding.path, scope);
    const missing = binding.shown.filter((path) => isMissing(resolvePath(scope, path).value));
    const [first] = missing;
    if (first) {
      const path = resolvePath(scope, first).pointer;
      if (missing.length === binding.shown.length) return { missing: path };
      return { problem: `is incomplete: the data does not have ${first.original}`, path };
    }
    return this.#merge(binding, scope);
  }

  #field(path: hbs.AST.PathExpression, scope: Scope): Evaluated {
    const { value, pointer } = resolvePath(scope, path);
    if (isMissing(value)) return { missing: pointer };
    if (typeof value === 'object') {
      return {
        problem: `must be a string or a number, but ${path.original} is a list or an object`,
        path: pointer,
      };
    }
    return nonEmpty(plainText(value), pointer);
  }

  #merge({ text }: Binding, scope: Scope): Evaluated {
    try {
      const merged = this.#template(text)(scope.value, {
        helpers: this.#helpers,
        depths: contextsOf(scope),
        data: { root: rootOf(scope).value, ...scope.variables },
      });
      return nonEmpty(merged, undefined);
    } catch (error) {
      // Messages of helpers contain no data.
      const reason = error instanceof MergeFailure ? error.message : 'the expression failed';
      return { problem: `has no value: ${reason}` };
    }
  }

  #template(text: string): Compiled {
    const compiled =
      this.#compiled.get(text) ??
      (this.#handlebars.compile(text, { noEscape: true, knownHelpers: { log: false } }) as Compiled);
    this.#compiled.set(text, compiled);
    return compiled;
  }
}

function nonEmpty(text: string, path: string | undefined): Evaluated {
  const value = text.trim();
  return value === '' ? { missing: path } : { value, ...(path !== undefined && { path }) };
}

/** Doubles have at most 17 digits; 20 decimal places show the small ones that `String` shows as `1e-7`. */
function plainText(value: unknown): string {
  const text = String(value);
  if (typeof value !== 'number' || !text.includes('e-')) return text;
  return value.toFixed(20).replace(/0+$/, '');
}
