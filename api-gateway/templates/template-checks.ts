import type { TemplateEmail, TemplateSchema } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import { ApiError, type ErrorDetail } from '../server/errors/api-error.ts';

/** Checker, and the account that it works for. */
export interface AccountChecks {
  readonly checker: TemplateChecker;
  readonly account: string;
}

/** Throws ApiError `template_too_large` when html and css together exceed the limit. */
export function checkSize(source: TemplateSource, maxBytes: number): void {
  const bytes = Buffer.byteLength(source.html) + Buffer.byteLength(source.css ?? '');
  if (bytes <= maxBytes) return;
  const message = `html and css together have ${bytes} bytes; the limit is ${maxBytes}.`;
  throw new ApiError('template_too_large', message);
}

/** Rejects with ApiError `template_does_not_compile`, with the line and column of the problem. */
export async function checkSyntax(
  html: string,
  { checker, account }: AccountChecks,
  pointer = '/html',
): Promise<void> {
  const problem = await checker.findSyntaxProblem(html, account);
  if (problem) throw doesNotCompile(problem, pointer);
}

/** Rejects with ApiError `template_does_not_compile` for the first part of an email that does not compile. */
export async function checkEmailSyntax(
  email: TemplateEmail,
  { checker, account }: AccountChecks,
): Promise<void> {
  for (const [part, source] of Object.entries(email)) {
    const problem = await checker.findSyntaxProblem(source, account);
    if (problem) throw doesNotCompile(problem, `/email/${part}`);
  }
}

/** 422: the text at `path` of the body is not a Handlebars template. */
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

/** Whether the text came with the request, as a header or footer may. */
function ofRequest(path: string): boolean {
  return path.startsWith('/options/');
}

/** Rejects with ApiError `invalid_schema` for a data schema that cannot be used, or that its own defaults violate. */
export async function checkSchema(
  schema: TemplateSchema,
  { checker, account }: AccountChecks,
  pointer = '',
): Promise<void> {
  const problem = await checker.findSchemaProblem(schema, account);
  if (!problem) return;
  const { violations, defaultsOnly } = problem;
  if (!defaultsOnly) throw invalidSchema(violations, pointer);
  const details = violations.map(({ path, message }) => ({ path: pointer + path, message }));
  throw new ApiError('invalid_schema', 'A default violates the schema of its field.', { details });
}

/** 422 for a data schema that cannot be used. `pointer`: where its template is in the body. */
export function invalidSchema(violations: readonly ErrorDetail[], pointer = ''): ApiError {
  const details = violations.map(({ path, message }) => ({ path: pointer + path, message }));
  const problems = details.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new ApiError('invalid_schema', `The data schema is invalid: ${problems}`, { details });
}

/** Error codes of a request that merges data into a template, for the schema of a route. */
export const TEMPLATE_ERRORS = [
  'template_not_found',
  'template_archived',
  'template_unusable',
  'template_does_not_compile',
  'invalid_schema',
  'data_invalid',
] as const;

/** The same for requests that generate documents and batches. */
export const GENERATION_ERRORS = [
  ...TEMPLATE_ERRORS,
  { code: 'version_not_found', statusCode: 422 },
  'template_too_large',
  'options_invalid',
  'idempotency_key_reused',
  'conflict',
  'expired',
  'too_many_jobs',
  'storage_full',
] as const;
