import { apiName, findConformanceProblem, type TemplateSpec } from '@trifold/crds';
import type {
  EInvoiceMappingProblem,
  TemplateProblem,
} from '@trifold/platform/templating/checking/template-checker.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { toRenderOptions } from '../options/api-options.ts';
import {
  assertPageFits,
  doesNotCompile,
  invalidOptions,
  type AccountChecks,
} from '../options/options-check.ts';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';
import type { TemplateChange } from './template-body.ts';

/** Throws ApiError `template_too_large` when HTML and CSS together exceed the limit. */
export function checkSize(source: TemplateSource, maxBytes: number): void {
  const bytes = Buffer.byteLength(source.html) + Buffer.byteLength(source.css ?? '');
  if (bytes <= maxBytes) return;
  const message = `html and css together are ${bytes} bytes; the limit is ${maxBytes}.`;
  throw new ApiError('template_too_large', message);
}

/** The parts of a template in a body; null removes one. */
type BodyParts = {
  readonly [Part in 'html' | 'schema' | 'email' | 'default_options' | 'e_invoice']?:
    | TemplateChange[Part]
    | undefined;
};

/**
 * Checks the parts of a template that a body has below `pointer`. Rejects with ApiError `invalid_request`,
 * `template_does_not_compile`, `invalid_schema` or `options_invalid` for the first one that cannot be used.
 */
export async function checkParts(body: BodyParts, checks: AccountChecks, pointer = ''): Promise<void> {
  const { html, email, schema, default_options: options, e_invoice: eInvoice } = body;
  const optionsPointer = `${pointer}/default_options`;
  const defaultOptions = options ? toRenderOptions(options, optionsPointer) : undefined;
  const parts = {
    html,
    email: email ?? undefined,
    schema: schema ?? undefined,
    defaultOptions,
    eInvoice: eInvoice ?? undefined,
  };
  const problem = await checks.checker.findProblem(parts, checks.account);
  if (problem) throw problemError(problem, pointer);
  if (options && defaultOptions) assertPageFits(options, defaultOptions, optionsPointer);
}

function problemError(problem: TemplateProblem, pointer: string): ApiError {
  switch (problem.kind) {
    case 'syntax':
      return doesNotCompile(problem, [pointer, ...problem.path.map(apiName)].join('/'));
    case 'schema':
      return invalidSchema(problem.violations, pointer, problem.defaultsOnly);
    case 'eInvoice':
      return invalidEInvoice(problem, pointer);
    case 'locale':
      return invalidOptions({
        path: `${pointer}/default_options/${apiName(problem.member)}`,
        message: problem.message,
      });
  }
}

/** 422 for an e-invoice that no document can use. `pointer`: location of its template in the body. */
export function invalidEInvoice({ problems }: EInvoiceMappingProblem, pointer = ''): ApiError {
  const at = `${pointer}/e_invoice`;
  const details = problems.map((problem) => ({ ...problem, path: at + problem.path }));
  const [{ path, message, line, column }] = problems;
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const text = `The e-invoice cannot be used: ${at}${path} ${message}${others}`;
  return new ApiError('template_does_not_compile', text, { details, extra: { line, column } });
}

/**
 * Throws ApiError `options_invalid` for a template whose PDF documents would contain an e-invoice, but whose options
 * exclude attachments.
 */
export function assertAttachableEInvoice(
  { eInvoice, defaultOptions }: Partial<TemplateSpec>,
  pointer = '',
): void {
  const message = findConformanceProblem(eInvoice, defaultOptions?.conformance);
  if (message !== undefined)
    throw invalidOptions({ path: `${pointer}/default_options/conformance`, message });
}

/**
 * 422 for a data schema that cannot be used, or whose own defaults violate it. `pointer`: location of its template in
 * the body.
 */
export function invalidSchema(
  violations: readonly ErrorDetail[],
  pointer = '',
  defaultsOnly = false,
): ApiError {
  const details = violations.map(({ path, message }) => ({ path: pointer + path, message }));
  const problems = details.map(({ path, message }) => `${path} ${message}`).join('; ');
  const message = defaultsOnly
    ? 'A default violates the schema of its field.'
    : `The data schema is invalid: ${problems}`;
  return new ApiError('invalid_schema', message, { details });
}

/** Error codes of a request that merges data into a template, for a route's schema. */
export const TEMPLATE_ERRORS = [
  'template_not_found',
  'template_archived',
  'template_unusable',
  'template_does_not_compile',
  'invalid_schema',
  'data_invalid',
] as const;

/** Error codes of requests that generate documents and batches. */
export const GENERATION_ERRORS = [
  ...TEMPLATE_ERRORS,
  'invoice_invalid',
  'not_an_e_invoice_template',
  { code: 'version_not_found', statusCode: 422 },
  'template_too_large',
  'options_invalid',
  'idempotency_key_reused',
  'conflict',
  'expired',
  'too_many_jobs',
  'storage_full',
] as const;
