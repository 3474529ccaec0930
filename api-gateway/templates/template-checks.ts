import type { TemplateEmail, TemplateSchema } from '@trifold/crds';
import { DataSchema, DataSchemaError } from '@trifold/platform/templates/data-schema.ts';
import { findDefaultProblems } from '@trifold/platform/templates/schema-defaults.ts';
import type { TemplateSource } from '@trifold/platform/templates/revision.ts';
import { findSyntaxProblem, type SyntaxProblem } from '@trifold/platform/templates/syntax.ts';
import { ApiError, type ErrorDetail } from '../errors/api-error.ts';

/** Throws ApiError `template_too_large` when html and css together are over the limit. */
export function checkSize(source: TemplateSource, mostBytes: number): void {
  const bytes = Buffer.byteLength(source.html) + Buffer.byteLength(source.css ?? '');
  if (bytes <= mostBytes) return;
  const message = `html and css together have ${bytes} bytes; at most ${mostBytes} are allowed.`;
  throw new ApiError('template_too_large', message);
}

/** Throws ApiError `template_does_not_compile` with the line and column of the problem. */
export function checkSyntax(html: string): void {
  const problem = findSyntaxProblem(html);
  if (problem) throw doesNotCompile(problem);
}

/** Throws ApiError `template_does_not_compile` for the first part of a letter that does not. */
export function checkEmailSyntax(email: TemplateEmail): void {
  for (const [part, source] of Object.entries(email)) {
    const problem = findSyntaxProblem(source);
    if (problem) throw doesNotCompile(problem, `/email/${part}`);
  }
}

/** 422: what stands at `path` of the body is not a Handlebars template. */
export function doesNotCompile({ line, column, message }: SyntaxProblem, path = '/html'): ApiError {
  const member = path.replace(/^\/(?:template\/)?/, '').replaceAll('/', '.');
  const what =
    path === '/html' ? 'The template' : `The ${ofRequest(path) ? "request's" : "template's"} ${member}`;
  return new ApiError(
    'template_does_not_compile',
    `${what} does not compile: line ${line}, column ${column}: ${message}`,
    { details: [{ path, message }], extra: { line, column } },
  );
}

/** A header or footer may come with a request. */
function ofRequest(path: string): boolean {
  return path.startsWith('/options/');
}

/** Throws ApiError `invalid_schema` for a data schema that cannot be used, or whose defaults it would refuse. */
export function checkSchema(schema: TemplateSchema): void {
  compileSchema(schema);
  const details = findDefaultProblems(schema);
  if (details.length === 0) return;
  throw new ApiError('invalid_schema', 'A default does not satisfy its own field.', { details });
}

/** Throws ApiError `invalid_schema`. */
function compileSchema(schema: TemplateSchema | undefined): DataSchema {
  try {
    return new DataSchema(schema);
  } catch (error) {
    throw error instanceof DataSchemaError ? invalidSchema(error.violations) : error;
  }
}

/** 422 for a data schema that cannot be used. */
export function invalidSchema(details: readonly ErrorDetail[]): ApiError {
  const problems = details.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new ApiError('invalid_schema', `The data schema cannot be used: ${problems}`, { details });
}
