import { apiName, resolveRenderOptions, type RenderOptions } from '@trifold/crds';
import { DECORATION_KINDS } from '@trifold/platform/templating/decorations.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import {
  findPageProblem,
  pageGeometry,
  type PageProblem,
} from '@trifold/platform/templating/page-geometry.ts';
import { ApiError, type ErrorDetail } from '../../server/errors/api-error.ts';
import { doesNotCompile, type AccountChecks } from '../../templates/template-checks.ts';
import { toRenderOptions, type ApiOptions } from './options.ts';

/** Status for an unusable template: kubectl may have applied anything. */
const UNUSABLE = 422;

/**
 * Checks a template's default options. Rejects with ApiError `invalid_request`, `options_invalid` for an unknown locale
 * or time zone, or when they and the system defaults leave no room for content, or `template_does_not_compile` for a
 * text with bindings.
 */
export async function checkDefaultOptions(
  options: ApiOptions,
  checks: AccountChecks,
  pointer = '/default_options',
): Promise<void> {
  const defaults = toRenderOptions(options, pointer);
  await checkBindings(defaults, pointer, checks);
  const unknown = findLocaleProblem(defaults);
  if (unknown) {
    const path = `${pointer}/${apiName(unknown.member)}`;
    throw invalidOptions({ path, message: unknown.message });
  }
  const problem = findPageProblem(pageGeometry(resolveRenderOptions(defaults)));
  if (problem) throw invalidOptions(placed(problem, options, pointer));
}

/**
 * Checks the options of a request together with those of its template, and returns those of the request as a resource
 * has them. Rejects with ApiError `invalid_request`, `options_invalid` (400 with the member of the request, or 422 when
 * the template alone is the cause), or `template_does_not_compile` for a text with bindings.
 */
export async function checkOptions(
  requested: ApiOptions | undefined,
  defaults: RenderOptions | undefined,
  checks: AccountChecks & { readonly format: string },
): Promise<RenderOptions | undefined> {
  // Without options, the system defaults apply, which always leave room.
  if (!requested && !defaults) return undefined;
  const asked = requested && toRenderOptions(requested, '/options', checks.format);
  if (asked) await checkBindings(asked, '/options', checks);
  assertKnownLocale(asked, defaults);
  const problem = findPageProblem(pageGeometry(resolveRenderOptions(asked, defaults)));
  if (!problem) return asked;
  if (pathOf(problem, requested ?? {}) === '') {
    const message = `names a template with default_options that cannot be printed: ${problem.message}`;
    throw invalidOptions({ path: '/template_id', message }, UNUSABLE);
  }
  throw invalidOptions(placed(problem, requested ?? {}, '/options'));
}

/**
 * Throws ApiError `options_invalid` for an unknown locale or time zone: 400 with the member of the request, or 422 when
 * it is the template's.
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
  const message = `names a template with default_options that cannot be used: ${member} ${unknown.message}`;
  throw invalidOptions({ path: '/template_id', message }, UNUSABLE);
}

/** Rejects with ApiError `template_does_not_compile`, with the member, line and column. */
export async function checkBindings(
  options: RenderOptions | undefined,
  pointer: string,
  { checker, account }: AccountChecks,
): Promise<void> {
  const problem = await checker.findOptionProblem(options, account);
  if (problem) throw doesNotCompile(problem, [pointer, ...problem.path.map(apiName)].join('/'));
}

function placed(problem: PageProblem, options: ApiOptions, pointer: string): ErrorDetail {
  return { path: `${pointer}${pathOf(problem, options)}`, message: problem.message };
}

const SIDES = { width: ['left', 'right'], height: ['top', 'bottom'] } as const;

/** Returns the most likely cause: of the members that are set, the one that takes the room. */
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

function invalidOptions(detail: ErrorDetail, statusCode?: number): ApiError {
  return new ApiError('options_invalid', `${detail.path} ${detail.message}.`, {
    details: [detail],
    ...(statusCode !== undefined && { statusCode }),
  });
}
