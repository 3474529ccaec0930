import type { Template, TemplateStatus } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import type { Revision, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';

/** Result of the check of a template: it can be used, or why not. `timedOut`: a check ended at its time limit. */
export type TemplateFinding =
  | { readonly reason: 'Compiled'; readonly message: string; readonly revision: Revision }
  | { readonly reason: 'SourceMissing' | 'OptionsInvalid'; readonly message: string }
  | { readonly reason: 'SchemaInvalid'; readonly message: string; readonly timedOut: boolean }
  | {
      readonly reason: 'SyntaxError';
      readonly message: string;
      readonly error: NonNullable<TemplateStatus['error']>;
      readonly timedOut: boolean;
    };

const LONGEST_MESSAGE = 2000;

export interface TemplateCheckDependencies {
  readonly store: ObjectStore;
  readonly checker: TemplateChecker;
}

/**
 * Checks the source, the schema and the options of a template. Rejects with ObjectStoreError when the store is
 * unavailable, and with ChildProcessError when the check did not run.
 */
export async function checkTemplate(
  { store, checker }: TemplateCheckDependencies,
  template: Template,
): Promise<TemplateFinding> {
  const { namespace = 'default', generation } = template.metadata;
  let source: TemplateSource;
  try {
    source = await readSource(store, namespace, template.spec);
  } catch (error) {
    if (!(error instanceof TemplateSourceError)) throw error;
    return { reason: 'SourceMissing', message: error.message };
  }
  const find = (text: string) => checker.findSyntaxProblem(text, namespace);
  const problem =
    (await find(source.html)) ??
    (await emailProblem(template, find)) ??
    (await decorationProblem(template, checker));
  if (problem) {
    const { line, column, timedOut = false } = problem;
    const message = problem.message.slice(0, LONGEST_MESSAGE);
    const error = { line, column, message };
    return { reason: 'SyntaxError', message: `line ${line}, column ${column}: ${message}`, error, timedOut };
  }
  const wrong = (await findSchemaProblem(template, checker)) ?? findOptionsProblem(template);
  if (wrong) return wrong;
  const revision = await checker.revisionOf(template.spec, source, namespace);
  return { reason: 'Compiled', message: `version ${generation} can be used`, revision };
}

async function findSchemaProblem(
  { metadata, spec }: Template,
  checker: TemplateChecker,
): Promise<TemplateFinding | undefined> {
  const { namespace = 'default' } = metadata;
  const problem = spec.schema && (await checker.findSchemaProblem(spec.schema, namespace));
  if (!problem) return undefined;
  const { violations, timedOut = false } = problem;
  const message = new DataSchemaError(violations).message.slice(0, LONGEST_MESSAGE);
  return { reason: 'SchemaInvalid', message, timedOut };
}

/** The schema of the kind cannot know which locales and time zones exist. */
function findOptionsProblem({ spec }: Template): TemplateFinding | undefined {
  const problem = findLocaleProblem(spec.defaultOptions ?? {});
  if (!problem) return undefined;
  return { reason: 'OptionsInvalid', message: `defaultOptions.${problem.member} ${problem.message}` };
}

/** Returns the problem of the first part of the email that does not compile; the message names the part. */
async function emailProblem(
  template: Template,
  find: (text: string) => Promise<SyntaxProblem | undefined>,
): Promise<SyntaxProblem | undefined> {
  for (const [part, source] of Object.entries(template.spec.email ?? {})) {
    const problem = await find(source);
    if (problem) return { ...problem, message: `email.${part}: ${problem.message}` };
  }
  return undefined;
}

/** Returns the problem of the header or footer that does not compile; the message names it. */
async function decorationProblem(
  { metadata, spec }: Template,
  checker: TemplateChecker,
): Promise<SyntaxProblem | undefined> {
  const { namespace = 'default' } = metadata;
  const problem = await checker.findDecorationProblem(spec.defaultOptions, namespace);
  if (!problem) return undefined;
  return { ...problem, message: `defaultOptions.${problem.member}.content: ${problem.message}` };
}
