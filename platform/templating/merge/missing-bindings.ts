import type { DocumentWarning, ProblemPart } from '@trifold/crds';
import Handlebars from 'handlebars';
import { MAX_FOUND_WARNINGS } from '@trifold/crds/limits.ts';
import { HELPER_SIGNATURES, isBuiltIn } from '../helpers/helper-signatures.ts';
import { without, type Insertion, type TemplatePosition } from './merge-failure.ts';

/** A binding that prints nothing, because the data does not have it, or no text, because it is an object. */
export interface MissingBinding extends TemplatePosition {
  /** Path as in the template: `customer.name`. Its position is that of its first use that had no value, or no text. */
  readonly path: string;
  readonly code: 'binding_missing' | 'binding_not_text';
}

/** Maximum number of paths that are recorded for a part of a document. */
const MOST_PATHS = MAX_FOUND_WARNINGS;

/** Internal helpers that return their argument and record it if the data does not have it. One prints it, too. */
const RECORD_HELPER = 'trifoldBinding';
const PRINT_HELPER = 'trifoldPrinted';

/** Options that compiled templates need, so that calls of the helpers are direct. */
export const RECORDING_HELPERS = { [RECORD_HELPER]: true, [PRINT_HELPER]: true } as const;

/** Items of a list that are searched for objects. */
const MAX_ITEMS = 100;
/** Text of an object that has none. */
const NO_TEXT = '[object Object]';

/** Handlebars passes the position of the call, which its types omit; columns count from 0. */
interface LocatedOptions {
  readonly loc: { readonly start: TemplatePosition };
}

/**
 * Records bindings that a merge did not find: the value is undefined, not null or empty. Only bindings in syntax trees
 * that went through `marked` count.
 */
export class MissingBindings {
  readonly #found = new Map<string, MissingBinding>();
  #insertion: Insertion | undefined;

  constructor(handlebars: typeof Handlebars) {
    handlebars.registerHelper(RECORD_HELPER, (value: unknown, path: string, options: LocatedOptions) => {
      if (value === undefined) this.#record('binding_missing', path, options.loc.start);
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

  /** Starts the merge of a template whose compiled text has an insertion. */
  begin(insertion: Insertion | undefined): void {
    this.#insertion = insertion;
  }

  /** Returns what was recorded since the last call. */
  take(): MissingBinding[] {
    const taken = [...this.#found.values()];
    this.#found.clear();
    return taken;
  }

  #record(code: MissingBinding['code'], path: string, { line, column }: TemplatePosition): void {
    const key = `${code} ${path}`;
    if (this.#found.size >= MOST_PATHS || this.#found.has(key)) return;
    this.#found.set(key, { code, path, ...without(this.#insertion, { line, column: column + 1 }) });
  }
}

/** Whether a value prints as `[object Object]`, alone or in a list. Reads the start of a list: lists can be long. */
function hasNoText(value: unknown): boolean {
  const items: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value];
  return items.some(
    (item) =>
      typeof item === 'object' &&
      item !== null &&
      // What helpers return is text.
      !('toHTML' in item) &&
      item.toString === Object.prototype.toString,
  );
}

/** Returns the warning about a binding in a part. Properties are one text each, so a position says nothing. */
export function bindingWarning(
  { code, path, line, column }: MissingBinding,
  part: ProblemPart,
): DocumentWarning {
  const place = part === 'properties' ? { part } : { part, line, column };
  const message =
    code === 'binding_missing'
      ? `The data has no value for ${path}.`
      : `The value of ${path} is an object, so it prints as ${NO_TEXT}.`;
  return { code, message, name: path, ...place };
}

/**
 * Wraps each binding that a document shows in a call of the recording helper, in place. Values that a template may test
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
    // `{{^each a}}` has no program.
    for (const program of [block.program, block.inverse] as (hbs.AST.Program | undefined)[]) {
      if (program) this.accept(program);
    }
  }

  #isExcluded({ original }: hbs.AST.PathExpression): boolean {
    return this.#notBindings.includes(original);
  }
}

/** Blocks that show nothing when their value is missing. */
const LISTS: ReadonlySet<string> = new Set(['each', 'with']);

/** Helpers that give a missing value a meaning. Conditions do, and all of them can open a block. */
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
}

function recorded(path: hbs.AST.PathExpression): hbs.AST.SubExpression {
  const { loc } = path;
  // Handlebars reads an absent hash as none, although the types require it.
  return {
    type: 'SubExpression',
    path: internalHelper(RECORD_HELPER, loc),
    params: [path, pathLiteral(path)],
    loc,
  } as unknown as hbs.AST.SubExpression;
}

/** Not `this`, and not variables such as `@index`. */
function isBinding(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  if (node.type !== 'PathExpression') return false;
  const { data, parts } = node as hbs.AST.PathExpression;
  return data ? parts[0] === 'root' && parts.length > 1 : parts.length > 0;
}

/** As `isBinding`, and `this`, which prints the item of a list. */
function isPrinted(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  if (isBinding(node)) return true;
  if (node.type !== 'PathExpression') return false;
  const { data, original } = node as hbs.AST.PathExpression;
  return !data && (original === 'this' || original === '.');
}

/** Whether a call prints one of its arguments, or a part of it. */
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
