import type { DocumentWarning, ProblemPart, WarningCode } from '@trifold/crds';
import { DEFAULT_TIME_ZONE, MAX_FOUND_WARNINGS } from '@trifold/crds/limits.ts';
import Handlebars from 'handlebars';
import { isMissing } from '../helpers/arguments.ts';
import { isTimeWithoutOffset } from '../helpers/formatting.ts';
import type { LocaleOptions } from '../locale-options.ts';
import { HELPER_SIGNATURES, isBuiltIn } from '../helpers/helper-signatures.ts';
import { without, type Insertion, type TemplatePosition } from './merge-failure.ts';

/** A binding that has no value in the data, or whose value does not print as intended. */
export interface BindingFinding extends TemplatePosition {
  readonly code: Extract<
    WarningCode,
    'binding_missing' | 'binding_not_text' | 'date_without_offset' | 'object_order'
  >;
  /** Path as in the template: `customer.name`. The position is where it is first used with this code. */
  readonly path: string;
}

/** Internal helpers that return their argument and record it if the data does not have it. One also prints it. */
const RECORD_HELPER = 'trifoldBinding';
const PRINT_HELPER = 'trifoldPrinted';

/** Internal helpers that return a helper's first argument and record it if it may not print as intended. */
const FIELDS_HELPER = 'trifoldFields';
const MOMENT_HELPER = 'trifoldMoment';
const VALUE_HELPERS = new Map([
  ['each', FIELDS_HELPER],
  ['formatDate', MOMENT_HELPER],
]);

/** Options for compiled templates that make helper calls direct. */
export const RECORDING_HELPERS = Object.fromEntries(
  [RECORD_HELPER, PRINT_HELPER, ...VALUE_HELPERS.values()].map((name) => [name, true]),
);

/** Maximum number of list items that are searched for objects. */
const MAX_ITEMS = 100;
/** Maximum depth of nested lists that are searched. */
const MAX_LISTS = 2;
/** String form of an object that does not define one. */
const NO_TEXT = '[object Object]';

/** Handlebars passes the position of the call, which its types omit; columns count from 0. */
interface LocatedOptions {
  readonly loc: { readonly start: TemplatePosition };
  readonly hash: { readonly timeZone?: unknown };
}

/**
 * Records bindings that a merge did not find: the value is undefined, not null or empty. Covers only bindings in syntax
 * trees that `marked` has processed.
 */
export class BindingFindings {
  /** Whether values are inspected as well. */
  looksAtValues = false;
  readonly #found = new Map<string, BindingFinding>();
  #insertion: Insertion | undefined;
  #timeZone: string | undefined;

  constructor(handlebars: typeof Handlebars) {
    handlebars.registerHelper(RECORD_HELPER, (value: unknown, path: string, options: LocatedOptions) => {
      if (value === undefined) this.#record('binding_missing', path, options.loc.start);
      return value;
    });
    handlebars.registerHelper(FIELDS_HELPER, (value: unknown, path: string, options: LocatedOptions) => {
      if (this.looksAtValues && hasNumericNames(value)) this.#record('object_order', path, options.loc.start);
      return value;
    });
    handlebars.registerHelper(MOMENT_HELPER, (value: unknown, path: string, options: LocatedOptions) => {
      const { timeZone } = options.hash;
      const zone = isMissing(timeZone) ? (this.#timeZone ?? DEFAULT_TIME_ZONE) : timeZone;
      if (this.looksAtValues && zone !== DEFAULT_TIME_ZONE && isTimeWithoutOffset(value))
        this.#record('date_without_offset', path, options.loc.start);
      return value;
    });
    handlebars.registerHelper(
      PRINT_HELPER,
      (value: unknown, path: string, mayMiss: boolean, { loc }: LocatedOptions) => {
        if (value === undefined && !mayMiss) this.#record('binding_missing', path, loc.start);
        else if (hasNoText(value)) this.#record('binding_not_text', path, loc.start);
        return value;
      },
    );
  }

  /** Starts merging a template whose compiled form has an insertion. */
  begin(insertion: Insertion | undefined, { timeZone }: LocaleOptions = {}): void {
    this.#insertion = insertion;
    this.#timeZone = timeZone;
  }

  /** Returns the findings recorded since the last call. */
  take(): BindingFinding[] {
    const taken = [...this.#found.values()];
    this.#found.clear();
    return taken;
  }

  #record(code: BindingFinding['code'], path: string, { line, column }: TemplatePosition): void {
    const key = `${code} ${path}`;
    if (this.#found.size >= MAX_FOUND_WARNINGS || this.#found.has(key)) return;
    this.#found.set(key, { code, path, ...without(this.#insertion, { line, column: column + 1 }) });
  }
}

const NUMERIC_NAME = /^\d+$/;

/** Whether `{{#each}}` has fields to sort, some of them named like numbers. */
function hasNumericNames(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length > 1 && names.some((name) => NUMERIC_NAME.test(name));
}

const MESSAGES: Readonly<Record<BindingFinding['code'], (path: string) => string>> = {
  binding_missing: (path) => `The data has no value for ${path}.`,
  binding_not_text: (path) => `The value of ${path} is an object, so it prints as ${NO_TEXT}.`,
  date_without_offset: (path) => `${path} is a time without an offset, so it is read as UTC.`,
  object_order: (path) =>
    `{{#each}} sorts the fields of ${path}, which have numbers as names, instead of keeping the order of the data.`,
};

/** Whether a value prints as `[object Object]`, alone or in a list. Reads the start of a list: lists can be long. */
function hasNoText(value: unknown, depth = 0): boolean {
  if (Array.isArray(value) && depth < MAX_LISTS)
    return value.slice(0, MAX_ITEMS).some((item) => hasNoText(item, depth + 1));
  return isPlainObject(value);
}

function isPlainObject(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false;
  // Helpers return strings.
  return !('toHTML' in item) && item.toString === Object.prototype.toString;
}

/** Returns the warning about a binding in a part. Each property is a single string, so a position is not useful. */
export function bindingWarning(
  { code, path, line, column }: BindingFinding,
  part: ProblemPart,
): DocumentWarning {
  const place = part === 'properties' ? { part } : { part, line, column };
  return { code, message: MESSAGES[code](path), name: path, ...place };
}

/**
 * Wraps each binding that a document shows in a call to the recording helper, in place. Values that a template may test
 * for presence are not wrapped: arguments of conditions, of `default` and of `lookup`, named arguments, sections, and
 * lists with an `{{else}}`.
 */
export function marked(template: hbs.AST.Program, notBindings: readonly string[]): hbs.AST.Program {
  new BindingMarker(notBindings).accept(template);
  return template;
}

class BindingMarker extends Handlebars.Visitor {
  readonly #notBindings: readonly string[];

  constructor(notBindings: readonly string[]) {
    super();
    this.#notBindings = notBindings;
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    const { path, params, hash } = mustache;
    if (params.length > 0) {
      markArguments(mustache);
      if (returnsArgument(mustache)) printCall(mustache);
    } else if (isPrinted(path) && hash === undefined && !this.#isExcluded(path)) {
      mustache.params = [path, pathLiteral(path), booleanLiteral(false, path.loc)];
      mustache.path = internalHelper(PRINT_HELPER, mustache.loc);
    }
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    const needsItsValue = LISTS.has(block.path.original) && !(block.inverse as unknown);
    if (needsItsValue) markArguments(block);
    markValue(block);
    // `{{^each a}}` has no program.
    for (const program of [block.program, block.inverse] as (hbs.AST.Program | undefined)[]) {
      if (program) this.accept(program);
    }
  }

  #isExcluded({ original }: hbs.AST.PathExpression): boolean {
    return this.#notBindings.includes(original);
  }
}

/** Blocks that show nothing if their value is missing. */
const LISTS: ReadonlySet<string> = new Set(['each', 'with']);

/** Helpers for which a missing value is meaningful. Conditions are among them, and all of them can open a block. */
function testsPresence(name: string): boolean {
  if (LISTS.has(name)) return false;
  const signature = (HELPER_SIGNATURES as Readonly<Record<string, { readonly block: boolean }>>)[name];
  return name === 'default' || isBuiltIn(name) || (signature?.block ?? true);
}

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression;

function markArguments(call: Call): void {
  if (testsPresence((call.path as hbs.AST.PathExpression).original)) return;
  call.params = call.params.map((param) => {
    if (param.type === 'SubExpression') markArguments(param as hbs.AST.SubExpression);
    return isBinding(param) ? recorded(param) : param;
  });
  if (call.type !== 'BlockStatement') markValue(call);
}

function recorded(path: hbs.AST.PathExpression): hbs.AST.SubExpression {
  const { loc } = path;
  // Handlebars accepts an absent hash, although the types require it.
  return {
    type: 'SubExpression',
    path: internalHelper(RECORD_HELPER, loc),
    params: [path, pathLiteral(path)],
    loc,
  } as unknown as hbs.AST.SubExpression;
}

/** Wraps a helper's first argument if its values are inspected. */
function markValue(call: Call): void {
  const helper = VALUE_HELPERS.get((call.path as hbs.AST.PathExpression).original);
  const [value, ...others] = call.params;
  if (helper === undefined || !value) return;
  const { loc } = value;
  // The recording helper takes the path as its first argument.
  const path = value.type === 'SubExpression' ? (value as hbs.AST.SubExpression).params[0] : value;
  const literal = pathLiteral(
    path?.type === 'PathExpression'
      ? (path as hbs.AST.PathExpression)
      : (call.path as hbs.AST.PathExpression),
  );
  const params = [value, literal];
  const hash = helper === MOMENT_HELPER ? call.hash : undefined;
  const checked = { type: 'SubExpression', path: internalHelper(helper, loc), params, hash, loc };
  call.params = [checked, ...others];
}

/** Not `this`, and not variables such as `@index`. */
function isBinding(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  if (node.type !== 'PathExpression') return false;
  const { data, parts } = node as hbs.AST.PathExpression;
  return data ? parts[0] === 'root' && parts.length > 1 : parts.length > 0;
}

/** Like `isBinding`, plus `this`, which prints a list item. */
function isPrinted(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  if (isBinding(node)) return true;
  if (node.type !== 'PathExpression') return false;
  const { data, original } = node as hbs.AST.PathExpression;
  return !data && (original === 'this' || original === '.');
}

/** Whether a call prints one of its arguments, or part of it. */
function returnsArgument({ path }: hbs.AST.MustacheStatement): boolean {
  return ['default', 'lookup'].includes((path as hbs.AST.PathExpression).original);
}

/** Prints the result of a call with the helper, under the path of its first argument. */
function printCall(mustache: hbs.AST.MustacheStatement): void {
  const { path, params, hash, loc } = mustache;
  const [argument] = params;
  if (argument?.type !== 'PathExpression') return;
  const call = { type: 'SubExpression', path, params, hash, loc } as hbs.AST.SubExpression;
  mustache.params = [call, pathLiteral(argument as hbs.AST.PathExpression), booleanLiteral(true, loc)];
  mustache.path = internalHelper(PRINT_HELPER, loc);
  mustache.hash = undefined as unknown as hbs.AST.Hash;
}

function internalHelper(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc };
}

function booleanLiteral(value: boolean, loc: hbs.AST.SourceLocation): hbs.AST.BooleanLiteral {
  return { type: 'BooleanLiteral', value, original: value, loc };
}

function pathLiteral({ original, loc }: hbs.AST.PathExpression): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value: original, original, loc };
}
