import {
  hasEInvoice,
  PUBLISHED_ANNOTATION,
  revisionTimeOf,
  type DocumentFormat,
  type GenerationJob,
  type Template,
} from '@trifold/crds';
import type { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { liveVersion, TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { RevisionStore, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { readSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { bindingProblemOf, placedMessage } from '../../templates/template-check.ts';
import { usableInline, type Pinned } from '../inline-template.ts';
import { WorkError } from '../work-error.ts';
import { checkedData } from './checked-data.ts';
import { jobEInvoice, storableEInvoice } from './job-e-invoice.ts';
import type { JobInput } from './job-input.ts';

/** Template that a job renders, before its data is checked. */
interface SelectedTemplate extends Pick<Template, 'spec'>, Pick<Pinned, 'version'> {
  readonly source: TemplateSource;
}

export interface TemplatePinningDependencies {
  readonly templates: Pick<ResourceClient<Template>, 'find'>;
  readonly store: ObjectStore;
  readonly revisions: RevisionStore;
  readonly checker: TemplateChecker;
  readonly input: JobInput;
  readonly dataChecker: DataChecker;
}

/**
 * Pins templates for jobs created with kubectl, which name or contain a template, as the gateway does for its own jobs.
 */
export class TemplatePinning {
  readonly #dependencies: TemplatePinningDependencies;

  constructor(dependencies: TemplatePinningDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Checks the template and the data, and ensures that the revision is stored. Undefined for a job that names its
   * revision, unless a kubectl user created it and it needs an e-invoice. Throws WorkError and TemplateSourceError.
   */
  async resolve(job: GenerationJob, signal: AbortSignal): Promise<Pinned | undefined> {
    const isNamed = job.spec.revision !== undefined;
    const selected = isNamed ? await this.#namedRevision(job) : await this.#select(job, signal);
    return selected && this.#pin(job, selected, signal);
  }

  async #pin(
    job: GenerationJob,
    { spec, source, version }: SelectedTemplate,
    signal: AbortSignal,
  ): Promise<Pinned> {
    const { revisions, checker, input, dataChecker } = this.#dependencies;
    const { namespace = 'default' } = job.metadata;
    const eInvoice = jobEInvoice(job, spec);
    const data = await input.read(job);
    const checked = await checkedData(dataChecker, job, { schema: spec.schema, eInvoice, data }, signal);
    const attachmentsRef = storableEInvoice(job, eInvoice, checked)?.ref;
    const revision = await checker.revisionOf(spec, source, namespace);
    await revisions.ensure(namespace, revision, revisionTimeOf(job));
    return {
      revision: revision.sha256,
      ...(version !== undefined && { version }),
      ...(attachmentsRef && { attachmentsRef }),
    };
  }

  /** Returns the revision that a kubectl user named, if it has an e-invoice for the job's format. */
  async #namedRevision({ metadata, spec }: GenerationJob): Promise<SelectedTemplate | undefined> {
    const { namespace = 'default' } = metadata;
    const { revision = '', version, keyId, format = 'pdf' } = spec;
    if (keyId !== undefined || !mayHaveEInvoice(format)) return undefined;
    const stored = await this.#dependencies.revisions.load(namespace, revision, revisionTimeOf({ metadata }));
    // A renderer reports a missing revision.
    if (!stored || (format !== 'xml' && !hasEInvoice(stored.content.eInvoice, format))) return undefined;
    return { spec: stored.content, source: stored.content, ...(version !== undefined && { version }) };
  }

  /**
   * Reads the template from the API server, because the cache may lag behind an update that was acknowledged before the
   * job was created.
   */
  async #select({ metadata, spec }: GenerationJob, signal: AbortSignal): Promise<SelectedTemplate> {
    const { templates, store, checker } = this.#dependencies;
    const { namespace = 'default' } = metadata;
    if (spec.template) {
      const { spec: inline } = await usableInline(this.#dependencies, metadata, spec.template);
      return { spec: inline, source: await readSource(store, namespace, inline) };
    }
    const name = spec.templateRef?.name ?? '';
    const current = await templates.find(namespace, name, signal);
    if (!current) {
      throw new WorkError('template_not_found', `there is no template ${name} in namespace ${namespace}`);
    }
    if (current.spec.state === 'archived') {
      throw new WorkError('template_archived', `template ${name} is archived: set spec.state to active`);
    }
    const template = await selectedVersion(current, spec.version, store);
    const source = await readSource(store, namespace, template.spec);
    await assertCompiles(template, source, checker);
    return { spec: template.spec, source, version: template.metadata.generation };
  }
}

/** Other formats never contain an e-invoice. */
function mayHaveEInvoice(format: DocumentFormat): boolean {
  return hasEInvoice({ format: 'factur-x' }, format);
}

/** Returns the named version of a template, by default the live one. */
async function selectedVersion(
  current: Template,
  named: number | undefined,
  store: ObjectStore,
): Promise<Template> {
  const version = named === undefined ? liveVersion(current) : String(named);
  const template = await new TemplateHistory(store).load(current, version);
  if (template) return template;
  const remedy =
    named === undefined ? `correct ${PUBLISHED_ANNOTATION}` : 'create the job with another version';
  const shown = JSON.stringify(version.slice(0, 20));
  const message = `template ${current.metadata.name} has no stored version ${shown}: ${remedy}`;
  throw new WorkError('version_not_found', message);
}

async function assertCompiles(
  { metadata, spec }: Template,
  { html }: TemplateSource,
  checker: TemplateChecker,
): Promise<void> {
  const { name, namespace = 'default' } = metadata;
  const { defaultOptions, eInvoice } = spec;
  const binding = await checker.findBindingProblem({ html, defaultOptions }, namespace);
  const unusable = eInvoice && (await checker.findEInvoiceProblem(eInvoice, namespace));
  const problem = binding ?? (unusable && bindingProblemOf(unusable));
  if (!problem) return;
  const position = `line ${problem.line}, column ${problem.column}`;
  const message = `template ${name} does not compile: ${position}: ${placedMessage(problem)}`;
  throw new WorkError('template_invalid', message);
}
