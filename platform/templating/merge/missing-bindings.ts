import type { DocumentWarning, ProblemPart } from '@trifold/crds';
import Handlebars from 'handlebars';
import { HELPER_SIGNATURES, isBuiltIn } from '../helpers/helper-signatures.ts';
import { without, type Insertion, type TemplatePosition } from './merge-failure.ts';

/** A binding that the data does not have. */
export interface MissingBinding extends TemplatePosition {
  /** Path as in the template: `customer.name`. Its position is that of its first use that had no value. */
  readonly path: string;
}

/** Maximum number of paths that are recorded for a part of a document. */
const MOST_PATHS = 20;

/** Internal helper that returns its argument and records it if the data does not have it. */
const RECORD_HELPER = 'trifoldBinding';

/** Options that compiled templates need, so that calls of the helper are direct. */
export const RECORDING_HELPERS = { [RECORD_HELPER]: true } as const;

/** Handlebars passes the position of the call, which its types omit; columns count from 0. */
interface LocatedOptions {
  readonly loc: { readonly start: TemplatePosition };
}

/**
 * Records bindings that a merge did not find: the value is undefined, not null or empty. Only bindings in syntax trees
 * that went through `marked` count.
 */
export class MissingBindings {
  readonly #positions = new Map<string, TemplatePosition>();
  #insertion: Insertion | undefined;

  constructor(handlebars: typeof Handlebars) {
    handlebars.registerHelper(RECORD_HELPER, (value: unknown, path: string, options: LocatedOptions) => {
      if (value === undefined) this.#record(path, options.loc.start);
      return value;
    });
  }

  /** Starts the merge of a template whose compiled text has an insertion. */
  begin(insertion: Insertion | undefined): void {
    this.#insertion = insertion;
  }

  /** Returns what was recorded since the last call. */
  take(): MissingBinding[] {
    const taken = Array.from(this.#positions, ([path, position]) => ({ path, ...position }));
    this.#positions.clear();
    return taken;
  }

  #record(path: string, { line, column }: TemplatePosition): void {
    if (this.#positions.size >= MOST_PATHS || this.#positions.has(path)) return;
    this.#positions.set(path, without(this.#insertion, { line, column: column + 1 }));
  }
}

/** Returns the warning about a binding in a part. Properties are one text each, so a position says nothing. */
export function bindingWarning({ path, line, column }: MissingBinding, part: ProblemPart): DocumentWarning {
  const place = part === 'properties' ? { part } : { part, line, column };
  return { code: 'binding_missing', message: `The data has no value for ${path}.`, name: path, ...place };
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
    if (mustache.params.length > 0) {
      markArguments(mustache);
    } else if (isBinding(mustache.path) && mustache.hash === undefined && !this.#isExcluded(mustache.path)) {
      mustache.params = [mustache.path, pathLiteral(mustache.path)];
      mustache.path = recordHelper(mustache.loc);
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
    path: recordHelper(loc),
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

function recordHelper(loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  const name = RECORD_HELPER;
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc };
}

function pathLiteral({ original, loc }: hbs.AST.PathExpression): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value: original, original, loc };
}
