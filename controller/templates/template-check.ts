import type { Template, TemplateStatus } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import {
  revisionOf,
  type Revision,
  type TemplateSource,
} from '@trifold/platform/templating/revisions/revision.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';

/** What was found of a template: it can be used, or why not. */
export type TemplateFinding =
  | { readonly reason: 'Compiled'; readonly message: string; readonly revision: Revision }
  | { readonly reason: 'SourceMissing' | 'SchemaInvalid'; readonly message: string }
  | {
      readonly reason: 'SyntaxError';
      readonly message: string;
      readonly error: NonNullable<TemplateStatus['error']>;
    };

const LONGEST_MESSAGE = 2000;

export interface TemplateCheckDependencies {
  readonly store: ObjectStore;
  readonly checker: TemplateChecker;
}

/**
 * Looks at the source and the schema of a template. Rejects with ObjectStoreError when the store is away, and with
 * PoolFullError or ChildEnded when the check did not take place.
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
    const message = problem.message.slice(0, LONGEST_MESSAGE);
    const place = `line ${problem.line}, column ${problem.column}`;
    return { reason: 'SyntaxError', message: `${place}: ${message}`, error: { ...problem, message } };
  }
  const wrong = await schemaProblem(template, checker);
  if (wrong !== undefined) return { reason: 'SchemaInvalid', message: wrong };
  const revision = revisionOf(template.spec, source);
  return { reason: 'Compiled', message: `version ${generation} can be used`, revision };
}

/** The first part of the email that does not compile, named in the message. */
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

/** The header or footer that does not compile, named in the message. */
async function decorationProblem(
  { metadata, spec }: Template,
  checker: TemplateChecker,
): Promise<SyntaxProblem | undefined> {
  const { namespace = 'default' } = metadata;
  const problem = await checker.findDecorationProblem(spec.defaultOptions, namespace);
  if (!problem) return undefined;
  const { member, line, column, message } = problem;
  return { line, column, message: `defaultOptions.${member}.content: ${message}` };
}

async function schemaProblem(
  { metadata, spec }: Template,
  checker: TemplateChecker,
): Promise<string | undefined> {
  const { namespace = 'default' } = metadata;
  const problem = spec.schema && (await checker.findSchemaProblem(spec.schema, namespace));
  return problem && new DataSchemaError(problem.violations).message.slice(0, LONGEST_MESSAGE);
}
