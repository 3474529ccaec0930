import Handlebars from 'handlebars';
import { isBuiltIn, type HelperName } from '../../templating/helpers/helper-signatures.ts';
import { findSyntaxProblem } from '../../templating/syntax/syntax.ts';

/** Helpers whose results cannot be part of an e-invoice. */
export const MARKUP_HELPERS: ReadonlySet<string> = new Set<HelperName>([
  'lines',
  'qrCode',
  'barCode',
  'epcQr',
  'swissQrBill',
]);

/** A parsed string of a mapping. */
export interface Binding {
  readonly text: string;
  /** The path, if the string is only `{{path}}`. */
  readonly path?: hbs.AST.PathExpression;
  /** Paths that the string shows directly: `{{a}} {{b.c}}`. */
  readonly shown: readonly hbs.AST.PathExpression[];
  /** Whether the string has no expression. */
  readonly isConstant: boolean;
}

/** Parses a string. Returns a mistake as a string. */
export function parseBinding(text: string): Binding | string {
  const problem = findSyntaxProblem(text);
  if (problem) return problem.message;
  const { body } = Handlebars.parseWithoutProcessing(text);
  const statements = body.filter(({ type }) => type !== 'CommentStatement');
  const expressions = statements.filter(({ type }) => type === 'MustacheStatement');
  const hasBlock = statements.some(({ type }) => type !== 'MustacheStatement' && type !== 'ContentStatement');
  if (hasBlock) return 'a block such as {{#if}} is not supported in a mapping: use a helper, such as default';
  const markup = expressions.map(calledHelper).find((name) => MARKUP_HELPERS.has(name));
  if (markup !== undefined) return `the helper ${markup} returns HTML, which an e-invoice cannot contain`;
  const shown = expressions.map(shownPath).filter((path) => path !== undefined);
  if (shown.some(({ data, depth }) => data && depth > 0)) return '@../ is not supported in a mapping';
  const [path] = shown;
  return {
    text,
    shown,
    isConstant: expressions.length === 0,
    ...(path && statements.length === 1 && { path }),
  };
}

/** Parses the path of a list, such as `lines` or `../order.lines`. Returns a mistake as a string. */
export function parseListPath(text: string): hbs.AST.PathExpression | string {
  const binding = text.includes('{{') ? undefined : parseBinding(`{{${text}}}`);
  if (typeof binding === 'object' && binding.path) return binding.path;
  return '"each" must be the path of a list in the data, such as lines, without braces';
}

/** Returns the name of a helper called with arguments; a name alone may be a field. */
function calledHelper(statement: hbs.AST.Statement): string {
  const { path, params, hash } = statement as hbs.AST.MustacheStatement;
  const isCall = params.length > 0 || Boolean(hash as unknown);
  return isCall && path.type === 'PathExpression' ? (path as hbs.AST.PathExpression).original : '';
}

function shownPath(statement: hbs.AST.Statement): hbs.AST.PathExpression | undefined {
  const { path, params, hash } = statement as hbs.AST.MustacheStatement;
  const isPath = path.type === 'PathExpression' && params.length === 0 && !(hash as unknown);
  if (!isPath) return undefined;
  const expression = path as hbs.AST.PathExpression;
  return isBuiltIn(expression.original) ? undefined : expression;
}
