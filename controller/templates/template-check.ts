import { findConformanceProblem, type ObjectMeta, type Template, type TemplateStatus } from '@trifold/crds';
import type {
  BindingProblem,
  EInvoiceMappingProblem,
  TemplateChecker,
  TemplateProblem,
} from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import type { Revision, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { readSource, TemplateSourceError } from '@trifold/platform/templating/revisions/template-source.ts';

/** Result of a template check: whether the template is usable, and if not, why. */
export interface TemplateFinding {
  readonly reason: 'Compiled' | 'SourceMissing' | 'SyntaxError' | 'SchemaInvalid' | 'OptionsInvalid';
  readonly message: string;
  /** Set if the template is usable. */
  readonly revision?: Revision;
  /** Position of a syntax error. */
  readonly error?: NonNullable<TemplateStatus['error']>;
  /** Whether a check hit its time limit. */
  readonly timedOut?: boolean;
}

/** A Template, or a template in a job or batch. */
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
  const problem = await checker.findProblem({ ...spec, html: source.html }, namespace);
  if (problem) return findingOf(problem);
  const conflict = findConformanceProblem(spec.eInvoice, spec.defaultOptions?.conformance);
  if (conflict !== undefined) {
    return { reason: 'OptionsInvalid', message: `defaultOptions.conformance ${conflict}` };
  }
  const revision = await checker.revisionOf(spec, source, namespace);
  return { reason: 'Compiled', message: `version ${generation} can be used`, revision };
}

function findingOf(problem: TemplateProblem): TemplateFinding {
  switch (problem.kind) {
    case 'syntax':
      return syntaxError(problem);
    case 'schema': {
      const message = new DataSchemaError(problem.violations).message.slice(0, MAX_MESSAGE_LENGTH);
      return { reason: 'SchemaInvalid', message, timedOut: problem.timedOut ?? false };
    }
    case 'eInvoice':
      return syntaxError(bindingProblemOf(problem));
    case 'locale':
      return { reason: 'OptionsInvalid', message: `defaultOptions.${problem.member} ${problem.message}` };
  }
}

/** Returns the first mistake in an e-invoice; its position is in the mapping, as JSON indented by two spaces. */
export function bindingProblemOf({ problems, timedOut = false }: EInvoiceMappingProblem): BindingProblem {
  const [{ path, message, line, column }] = problems;
  return { kind: 'syntax', path: ['eInvoice'], message: `${path} ${message}`.trim(), line, column, timedOut };
}

function syntaxError(problem: BindingProblem): TemplateFinding {
  const { line, column, timedOut = false } = problem;
  const message = placedMessage(problem).slice(0, MAX_MESSAGE_LENGTH);
  const error = { line, column, message };
  return { reason: 'SyntaxError', message: `line ${line}, column ${column}: ${message}`, error, timedOut };
}

/** Returns the message of a problem, preceded by the part that contains it unless that part is the HTML. */
export function placedMessage({ path, message }: BindingProblem): string {
  const part = path.join('.');
  return part === 'html' ? message : `${part}: ${message}`;
}
