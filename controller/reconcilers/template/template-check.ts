import type { Template, TemplateStatus } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { findBandProblem } from '@trifold/platform/templates/band-problem.ts';
import { DataSchema, DataSchemaError } from '@trifold/platform/templates/data-schema.ts';
import { revisionOf, type Revision, type TemplateSource } from '@trifold/platform/templates/revision.ts';
import { findDefaultProblems } from '@trifold/platform/templates/schema-defaults.ts';
import { findSyntaxProblem, type SyntaxProblem } from '@trifold/platform/templates/syntax.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templates/template-source.ts';

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

/** Looks at the source and the schema of a template. Rejects with ObjectStoreError when the store is away. */
export async function checkTemplate(store: ObjectStore, template: Template): Promise<TemplateFinding> {
  const { namespace = 'default', generation } = template.metadata;
  let source: TemplateSource;
  try {
    source = await readSource(store, namespace, template.spec);
  } catch (error) {
    if (!(error instanceof TemplateSourceError)) throw error;
    return { reason: 'SourceMissing', message: error.message };
  }
  const problem = findSyntaxProblem(source.html) ?? emailProblem(template) ?? bandProblem(template);
  if (problem) {
    const message = problem.message.slice(0, LONGEST_MESSAGE);
    const place = `line ${problem.line}, column ${problem.column}`;
    return { reason: 'SyntaxError', message: `${place}: ${message}`, error: { ...problem, message } };
  }
  const wrong = schemaProblem(template);
  if (wrong !== undefined) return { reason: 'SchemaInvalid', message: wrong };
  const revision = revisionOf(template.spec, source);
  return { reason: 'Compiled', message: `version ${generation} can be used`, revision };
}

/** The first part of the letter that does not compile, named in the message. */
function emailProblem(template: Template): SyntaxProblem | undefined {
  for (const [part, source] of Object.entries(template.spec.email ?? {})) {
    const problem = findSyntaxProblem(source);
    if (problem) return { ...problem, message: `email.${part}: ${problem.message}` };
  }
  return undefined;
}

/** The header or footer that does not compile, named in the message. */
function bandProblem(template: Template): SyntaxProblem | undefined {
  const problem = findBandProblem(template.spec.defaultOptions);
  if (!problem) return undefined;
  const { band, line, column, message } = problem;
  return { line, column, message: `defaultOptions.${band}.content: ${message}` };
}

function schemaProblem(template: Template): string | undefined {
  try {
    const { schema } = template.spec;
    void new DataSchema(schema);
    const problems = schema ? findDefaultProblems(schema) : [];
    if (problems.length > 0) throw new DataSchemaError(problems);
    return undefined;
  } catch (error) {
    if (error instanceof DataSchemaError) return error.message.slice(0, LONGEST_MESSAGE);
    throw error;
  }
}
