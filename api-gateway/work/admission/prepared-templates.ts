import { PUBLISHED_ANNOTATION, type Template, type TemplateSpec } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { Revision, TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import { readSource } from '@trifold/platform/templating/revisions/template-source.ts';
import { DataSchemaError } from '@trifold/platform/templating/schema/data-schema.ts';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../server/errors/api-error.ts';
import { checkSchema, checkSize, checkSyntax, invalidSchema } from '../../templates/template-checks.ts';
import { checkBindings, checkDefaultOptions } from './options-check.ts';
import type { TemplateRepository } from '../../templates/template-repository.ts';
import { inlineContent, type InlineTemplate } from './work-template.ts';

/** One template version, ready for use in requests. */
export interface PreparedTemplate {
  readonly revision: Revision;
  /** metadata.generation of the template; undefined for a template in the request. */
  readonly version?: number;
}

/** Throws ApiError `template_archived`. */
export function assertNotArchived(template: Template): void {
  if (template.spec.state !== 'archived') return;
  const message = `The template ${template.metadata.name} is archived. Set its status to active or use another one.`;
  throw new ApiError('template_archived', message);
}

/** Memory limit of the cache, by the bytes of the revisions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Memory for the compiled validator, in addition to the revision. */
const OVERHEAD_BYTES = 16 * 1024;

/**
 * Cache of prepared template versions. The key is uid and generation, whose content never changes; for a template in a
 * request, account and revision.
 */
export class PreparedTemplates {
  readonly #store: ObjectStore;
  readonly #checker: TemplateChecker;
  readonly #maxTemplateBytes: number;
  readonly #prepared = new LRUCache<string, PreparedTemplate>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ revision }) => revision.body.length * 2 + OVERHEAD_BYTES,
  });
  readonly #underWay = new Map<string, Promise<PreparedTemplate>>();

  constructor(store: ObjectStore, checker: TemplateChecker, maxTemplateBytes: number) {
    this.#store = store;
    this.#checker = checker;
    this.#maxTemplateBytes = maxTemplateBytes;
  }

  /** Returns a version that was prepared before and is still cached. */
  find(uid: string, version: string): PreparedTemplate | undefined {
    return this.#prepared.get(versionKey(uid, version));
  }

  /** Throws ApiError if the template is unusable: kubectl may have applied anything. */
  async prepare(account: string, template: Template): Promise<PreparedTemplate> {
    const version = versionKey(template.metadata.uid, String(template.metadata.generation));
    const known = this.#prepared.get(version);
    if (known) return known;
    let underWay = this.#underWay.get(version);
    if (!underWay) {
      underWay = this.#prepare(account, template, version).finally(() => this.#underWay.delete(version));
      this.#underWay.set(version, underWay);
    }
    return underWay;
  }

  /** Checks a template in a request like a new one. Rejects with ApiError, with paths below `/template`. */
  async prepareInline(account: string, template: InlineTemplate): Promise<PreparedTemplate> {
    const { spec, source } = inlineContent(template);
    checkSize(source, this.#maxTemplateBytes);
    const revision = await this.#revisionOf(spec, source, account, '/template');
    const key = `${account} ${revision.sha256}`;
    const known = this.#prepared.get(key);
    if (known) return known;
    const checks = { checker: this.#checker, account };
    await checkSyntax(source.html, checks, '/template/html');
    if (spec.schema) await checkSchema(spec.schema, checks, '/template');
    const { default_options: defaults } = template;
    if (defaults) await checkDefaultOptions(defaults, checks, '/template/default_options');
    const prepared = { revision };
    this.#prepared.set(key, prepared);
    return prepared;
  }

  async #prepare(account: string, template: Template, version: string): Promise<PreparedTemplate> {
    const source = await readSource(this.#store, account, template.spec);
    const checks = { checker: this.#checker, account };
    await checkSyntax(source.html, checks);
    await checkBindings(template.spec.defaultOptions, '/default_options', checks);
    const revision = await this.#revisionOf(template.spec, source, account);
    const prepared = { revision, version: template.metadata.generation };
    this.#prepared.set(version, prepared);
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

function versionKey(uid: string, version: string): string {
  return `${uid}/${version}`;
}

/**
 * Returns the version that a request names, or else the published one; undefined when that is the current version.
 * Rejects with ApiError `version_not_found` (422).
 */
export async function selectVersion(
  {
    templates,
    prepared,
  }: {
    readonly templates: TemplateRepository;
    readonly prepared: PreparedTemplates;
  },
  account: string,
  current: Template,
  named?: number,
): Promise<PreparedTemplate | undefined> {
  const { uid, generation, annotations } = current.metadata;
  const version = named === undefined ? annotations?.[PUBLISHED_ANNOTATION] : String(named);
  if (version === undefined || version === String(generation)) return undefined;
  return (
    prepared.find(uid, version) ?? prepared.prepare(account, await templates.formerVersion(current, version))
  );
}
