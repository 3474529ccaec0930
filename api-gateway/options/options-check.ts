import { apiName, resolveRenderOptions, type RenderOptions } from '@trifold/crds';
import { DECORATION_KINDS } from '@trifold/platform/templating/decorations.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import {
  findPageProblem,
  pageGeometry,
  type PageProblem,
} from '@trifold/platform/templating/page-geometry.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';
import { toRenderOptions, type ApiOptions } from './api-options.ts';

/** Status for an unusable template, which may have been applied unchecked with kubectl. */
const UNUSABLE = 422;

/** The checker, and the account that the checks are for. */
export interface AccountChecks {
  readonly checker: TemplateChecker;
  readonly account: string;
}

/** 422: the string at `path` of the body is not a Handlebars template. */
export function doesNotCompile({ line, column, message, name }: SyntaxProblem, path = '/html'): ApiError {
  const member = path.replace(/^\/(?:template\/)?/, '').replaceAll('/', '.');
  const what =
    member === 'html' ? 'The template' : `The ${ofRequest(path) ? "request's" : "template's"} ${member}`;
  return new ApiError(
    'template_does_not_compile',
    `${what} does not compile: line ${line}, column ${column}: ${message}`,
    {
      details: [{ path, message, line, column, ...(name !== undefined && { name }) }],
      extra: { line, column },
    },
  );
}

/** Whether the string was part of the request, as a header or footer may be. */
function ofRequest(path: string): boolean {
  return path.startsWith('/options/');
}

/** Throws ApiError `options_invalid` when default options and the system defaults leave no room for content. */
export function assertPageFits(options: ApiOptions, defaults: RenderOptions, pointer: string): void {
  const problem = findPageProblem(pageGeometry(resolveRenderOptions(defaults)));
  if (problem) throw invalidOptions(placed(problem, options, pointer));
}

/**
 * Checks a request's options together with its template's, and returns the request's options in the form of a
 * resource. Rejects with ApiError `invalid_request`, `options_invalid` (400 with the field of the request, or 422 when
 * the template alone is the cause), or `template_does_not_compile` for a string whose bindings do not compile.
 */
export async function checkOptions(
  requested: ApiOptions | undefined,
  defaults: RenderOptions | undefined,
  { checker, account, format }: AccountChecks & { readonly format: string },
): Promise<RenderOptions | undefined> {
  // Without options, the system defaults apply, which always leave room.
  if (!requested && !defaults) return undefined;
  const asked = requested && toRenderOptions(requested, '/options', format);
  const wrong = asked && (await checker.findBindingProblem({ defaultOptions: asked }, account));
  if (wrong) throw doesNotCompile(wrong, ['/options', ...wrong.path.slice(1).map(apiName)].join('/'));
  assertKnownLocale(asked, defaults);
  const problem = findPageProblem(pageGeometry(resolveRenderOptions(asked, defaults)));
  if (!problem) return asked;
  if (pathOf(problem, requested ?? {}) === '') {
    const message = `names a template whose default_options cannot be used: ${problem.message}`;
    throw invalidOptions({ path: '/template_id', message }, UNUSABLE);
  }
  throw invalidOptions(placed(problem, requested ?? {}, '/options'));
}

/**
 * Throws ApiError `options_invalid` for an unknown locale or time zone: 400 with the field of the request, or 422 when
 * the template sets it.
 */
export function assertKnownLocale(
  requested: RenderOptions | undefined,
  defaults: RenderOptions | undefined,
): void {
  const unknown = findLocaleProblem({ ...defaults, ...requested });
  if (!unknown) return;
  const member = apiName(unknown.member);
  if (requested?.[unknown.member] !== undefined) {
    throw invalidOptions({ path: `/options/${member}`, message: unknown.message });
  }
  const message = `names a template whose default_options cannot be used: ${member} ${unknown.message}`;
  throw invalidOptions({ path: '/template_id', message }, UNUSABLE);
}

function placed(problem: PageProblem, options: ApiOptions, pointer: string): ErrorDetail {
  return { path: `${pointer}${pathOf(problem, options)}`, message: problem.message };
}

const SIDES = { width: ['left', 'right'], height: ['top', 'bottom'] } as const;

/** Returns the most likely cause: a field that is set and takes up the space. */
function pathOf({ kind, axis, firstPage }: PageProblem, options: ApiOptions): string {
  if (kind === 'side') return options[axis] === undefined ? '' : `/${axis}`;
  const first = firstPage && DECORATION_KINDS.find((name) => hasFirstHeight(options[name]));
  if (first) return `/${first}/first/height`;
  return marginPath(axis, options.margins) ?? decorationPath(axis, options) ?? sizePath(axis, options) ?? '';
}

function hasFirstHeight(decoration: ApiOptions['header']): boolean {
  return typeof decoration?.first === 'object' && decoration.first.height !== undefined;
}

function marginPath(axis: 'width' | 'height', margins: ApiOptions['margins']): string | undefined {
  if (margins === undefined) return undefined;
  if (typeof margins === 'string') return '/margins';
  const given = SIDES[axis].filter((side) => margins[side] !== undefined);
  if (given.length === 0) return undefined;
  return given.length === 1 ? `/margins/${given[0]}` : '/margins';
}

function decorationPath(axis: 'width' | 'height', options: ApiOptions): string | undefined {
  if (axis === 'width') return undefined;
  const decoration = DECORATION_KINDS.find((name) => options[name] !== undefined);
  return (
    decoration && (options[decoration]?.height === undefined ? `/${decoration}` : `/${decoration}/height`)
  );
}

function sizePath(axis: 'width' | 'height', options: ApiOptions): string | undefined {
  const member = ([axis, 'page_size', 'orientation'] as const).find((name) => options[name] !== undefined);
  return member && `/${member}`;
}

/** 400 for an option in the request or template. */
export function invalidOptions(detail: ErrorDetail, statusCode?: number): ApiError {
  return new ApiError('options_invalid', `${detail.path} ${detail.message}.`, {
    details: [detail],
    ...(statusCode !== undefined && { statusCode }),
  });
}
