import {
  apiName,
  TEMPLATE,
  UNNAMED_TEMPLATE,
  type Template,
  type TemplateSpec,
  type KubernetesObject,
} from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { liveVersion, TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { Revision, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { readSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import { LRUCache } from 'lru-cache';
import { doesNotCompile } from '../options/options-check.ts';
import type { GatewayConfig } from '../config.ts';
import type { Caller } from '../server/auth/caller.ts';
import { ApiError } from '../server/errors/api-error.ts';
import {
  assertAttachableEInvoice,
  checkParts,
  checkSize,
  invalidEInvoice,
  invalidSchema,
} from './template-checks.ts';
import { changedSource, changedSpec } from './template-mapping.ts';
import { existing, versionNotFound } from './template-errors.ts';
import type { InlineTemplate } from '../work/admission/work-template.ts';

/** One template version, ready for use in requests. */
export interface PreparedTemplate {
  readonly revision: Revision;
  /** metadata.generation of the template; undefined for a template in the request. */
  readonly version?: number;
}

export interface PreparedTemplatesOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly checker: TemplateChecker;
  readonly config: Pick<GatewayConfig, 'maxTemplateBytes'>;
}

/** Memory for the compiled validator, in addition to the revision. */
const OVERHEAD_BYTES = 16 * 1024;
const REMEMBERED_TEMPLATES = 10_000;

/**
 * Cache of prepared template versions, keyed by uid and generation, because the content of a generation never changes,
 * or by account and revision for a template in a request.
 */
export class PreparedTemplates {
  readonly #templates: ResourceClient<Template>;
  readonly #metadata: ResourceClient<KubernetesObject>;
  readonly #store: ObjectStore;
  readonly #history: TemplateHistory;
  readonly #checker: TemplateChecker;
  readonly #maxTemplateBytes: number;
  readonly #prepared = new LRUCache<string, PreparedTemplate>({
    maxSize: BOUNDS.preparedTemplates.limit.value,
    sizeCalculation: ({ revision }) => revision.body.length * 2 + OVERHEAD_BYTES,
  });
  /** Current versions that are not archived. */
  readonly #usable = new LRUCache<string, true>({ max: REMEMBERED_TEMPLATES });
  readonly #underWay = new Map<string, Promise<PreparedTemplate>>();

  constructor({ kubernetes, store, checker, config }: PreparedTemplatesOptions) {
    this.#templates = kubernetes.resource<Template>(TEMPLATE);
    this.#metadata = this.#templates.metadataOnly();
    this.#store = store;
    this.#history = new TemplateHistory(store);
    this.#checker = checker;
    this.#maxTemplateBytes = config.maxTemplateBytes;
  }

  /**
   * Returns the version that a request names, by default the live one. Rejects with ApiError `template_not_found`,
   * `template_archived` (the current version decides), `version_not_found` (422), or if the version is unusable, which
   * is possible if it was applied with kubectl. Reads only the metadata of the template if its current version is
   * known.
   */
  async select(caller: Caller, name: string, named?: number): Promise<PreparedTemplate> {
    const { account } = caller;
    const { metadata } = await existing(this.#metadata, account, name);
    caller.foundTemplate = name;
    const isKnown = this.#usable.has(versionKey({ metadata }, metadata.generation));
    const known = isKnown && this.#prepared.get(versionKey({ metadata }, named ?? liveVersion({ metadata })));
    return known || this.#prepareOnce(account, await this.#current(account, name), named);
  }

  async #current(account: string, name: string): Promise<Template> {
    const current = await existing(this.#templates, account, name);
    if (current.spec.state === 'archived') {
      const message = `The template ${name} is archived. Set its status to active, or use another template.`;
      throw new ApiError('template_archived', message);
    }
    this.#usable.set(versionKey(current, current.metadata.generation), true);
    return current;
  }

  async #prepareOnce(account: string, current: Template, named?: number): Promise<PreparedTemplate> {
    const version = String(named ?? liveVersion(current));
    const key = versionKey(current, version);
    const known = this.#prepared.get(key) ?? this.#underWay.get(key);
    if (known) return known;
    const underWay = this.#prepare(account, current, version).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, underWay);
    return underWay;
  }

  /**
   * Checks a template in a request in the same way as a new one. Rejects with ApiError, with paths below `/template`.
   */
  async prepareInline(account: string, template: InlineTemplate): Promise<PreparedTemplate> {
    const spec = changedSpec({ displayName: UNNAMED_TEMPLATE }, template, '/template/default_options');
    const source = changedSource({ html: template.html }, template);
    checkSize(source, this.#maxTemplateBytes);
    assertAttachableEInvoice(spec, '/template');
    const revision = await this.#revisionOf(spec, source, account, '/template');
    const key = `${account} ${revision.sha256}`;
    const known = this.#prepared.get(key);
    if (known) return known;
    await checkParts(template, { checker: this.#checker, account }, '/template');
    const prepared = { revision };
    this.#prepared.set(key, prepared);
    return prepared;
  }

  async #prepare(account: string, current: Template, version: string): Promise<PreparedTemplate> {
    const template = await this.#history.load(current, version);
    if (!template) throw versionNotFound(current.metadata.name, version, 422);
    const { html, ...styles } = await readSource(this.#store, account, template.spec);
    const { defaultOptions, eInvoice } = template.spec;
    const problem = await this.#checker.findBindingProblem({ html, defaultOptions }, account);
    if (problem) throw doesNotCompile(problem, `/${problem.path.map(apiName).join('/')}`);
    const unusable = eInvoice && (await this.#checker.findEInvoiceProblem(eInvoice, account));
    if (unusable) throw invalidEInvoice(unusable);
    const revision = await this.#revisionOf(template.spec, { html, ...styles }, account);
    const prepared = { revision, version: template.metadata.generation };
    this.#prepared.set(versionKey(current, version), prepared);
    return prepared;
  }

  async #revisionOf(
    spec: TemplateSpec,
    source: TemplateSource,
    account: string,
    pointer?: string,
  ): Promise<Revision> {
    try {
      return await this.#checker.revisionOf(spec, source, account);
    } catch (error) {
      throw error instanceof DataSchemaError ? invalidSchema(error.violations, pointer) : error;
    }
  }
}

function versionKey({ metadata }: Pick<Template, 'metadata'>, version: number | string): string {
  return `${metadata.uid}/${version}`;
}
