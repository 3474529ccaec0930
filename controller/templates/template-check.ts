import type { ObjectMeta, Template, TemplateSpec, TemplateStatus } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import type { Revision, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import type { SyntaxProblem } from '@trifold/platform/templating/syntax/syntax.ts';
import { findLocaleProblem } from '@trifold/platform/templating/locale-options.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';

/** Result of the check of a template: it can be used, or why not. */
export interface TemplateFinding {
  readonly reason: 'Compiled' | 'SourceMissing' | 'SyntaxError' | 'SchemaInvalid' | 'OptionsInvalid';
  readonly message: string;
  /** Set if the template can be used. */
  readonly revision?: Revision;
  /** Position of a syntax error. */
  readonly error?: NonNullable<TemplateStatus['error']>;
  /** Whether a check ended at its time limit. */
  readonly timedOut?: boolean;
}

/** A Template, or one in a job or batch. */
interface CheckedTemplate extends Pick<Template, 'spec'> {
  readonly metadata: Pick<ObjectMeta, 'namespace' | 'generation'>;
}

const MAX_MESSAGE_LENGTH = 2000;

/**
 * Checks the source, the schema and the options of a template. Rejects with ObjectStoreError when the store is
 * unavailable, and with ChildProcessError when the check did not run.
 */
export async function checkTemplate(
  { store, checker }: { readonly store: ObjectStore; readonly checker: TemplateChecker },
  { metadata: { namespace = 'default', generation }, spec }: CheckedTemplate,
): Promise<TemplateFinding> {
  let source: TemplateSource;
  try {
    source = await readSource(store, namespace, spec);
  } catch (error) {
    if (!(error instanceof TemplateSourceError)) throw error;
    return { reason: 'SourceMissing', message: error.message };
  }
  const wrong = await findSyntaxError(spec, source, namespace, checker);
  if (wrong) return wrong;
  const schema = spec.schema && (await checker.findSchemaProblem(spec.schema, namespace));
  if (schema) {
    const message = new DataSchemaError(schema.violations).message.slice(0, MAX_MESSAGE_LENGTH);
    return { reason: 'SchemaInvalid', message, timedOut: schema.timedOut ?? false };
  }
  // The schema of the kind cannot know which locales and time zones exist.
  const locale = findLocaleProblem(spec.defaultOptions ?? {});
  if (locale)
    return { reason: 'OptionsInvalid', message: `defaultOptions.${locale.member} ${locale.message}` };
  const revision = await checker.revisionOf(spec, source, namespace);
  return { reason: 'Compiled', message: `version ${generation} can be used`, revision };
}

async function findSyntaxError(
  { email, defaultOptions }: TemplateSpec,
  { html }: TemplateSource,
  account: string,
  checker: TemplateChecker,
): Promise<TemplateFinding | undefined> {
  const parts = Object.entries(email ?? {}).map(([part, text]) => [`email.${part}: `, text] as const);
  for (const [where, text] of [['', html] as const, ...parts]) {
    const problem = await checker.findSyntaxProblem(text, account);
    if (problem) return syntaxError(problem, where);
  }
  const option = await checker.findOptionProblem(defaultOptions, account);
  return option && syntaxError(option, `defaultOptions.${option.path.join('.')}: `);
}

/** `where`: the part of the template that does not compile, before the message of its problem. */
function syntaxError(problem: SyntaxProblem, where: string): TemplateFinding {
  const { line, column, timedOut = false } = problem;
  const message = `${where}${problem.message}`.slice(0, MAX_MESSAGE_LENGTH);
  const error = { line, column, message };
  return { reason: 'SyntaxError', message: `line ${line}, column ${column}: ${message}`, error, timedOut };
}
