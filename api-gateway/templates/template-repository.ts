import {
  newId,
  PUBLISHED_ANNOTATION,
  SAMPLES_REF_ANNOTATION,
  TEMPLATE,
  type Template,
  type TemplateChangeKind,
  type TemplateSpec,
} from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  changeAnnotation,
  isKept,
  TemplateHistory,
  type TemplateCopy,
} from '@trifold/platform/records/templates/template-history.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import {
  keepSource,
  readSource,
  TemplateSourceError,
} from '@trifold/platform/templating/revisions/template-source.ts';
import { KeyedLock } from '@trifold/platform/async/keyed-lock.ts';
import type { GatewayConfig } from '../config.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { createdAtOf } from '../server/pagination/page.ts';
import { ObjectQuota } from '../server/quota/object-quota.ts';
import type { StorageQuota } from '../server/quota/storage-quota.ts';
import { checkVersion } from './if-match.ts';
import { newSamples, SampleStore, type NewSamples } from './sample-store.ts';
import { NO_SAMPLES, type SampleList } from './samples.ts';
import type { NewTemplate, TemplateChange } from './template-body.ts';
import { existing, templateNotFound, versionNotFound } from './template-errors.ts';
import { assertAttachableEInvoice, checkParts, checkSize } from './template-checks.ts';
import type { TemplateCache } from './template-cache.ts';
import { changedSource, changedSpec, updatedAtOf, viewOf } from './template-mapping.ts';

/** A template with its HTML and CSS, wherever they are stored. */
export type FullTemplate = TemplateCopy;

/** Maximum number of attempts to apply a change that conflicts with changes by another gateway or kubectl. */
const MAX_CONFLICTS = 100;
/** Maximum time a save waits for its history entry. */
const HISTORY_TIMEOUT_MS = 2_000;

export interface TemplateRepositoryOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly checker: TemplateChecker;
  readonly logger: Logger;
  /** Receives every write. */
  readonly templateCache: TemplateCache;
  readonly storageQuota: Pick<StorageQuota, 'assertWithinQuota'>;
  readonly config: Pick<GatewayConfig, 'maxTemplates' | 'maxTemplateBytes'>;
}

/** Templates as Template resources. Every method rejects with ApiError for caller errors. */
export class TemplateRepository {
  readonly #templates: ResourceClient<Template>;
  readonly #options: TemplateRepositoryOptions;
  readonly #history: TemplateHistory;
  readonly #samples: SampleStore;
  readonly #changes = new KeyedLock();
  readonly #quota: ObjectQuota;

  constructor(options: TemplateRepositoryOptions) {
    const { templateCache, config } = options;
    this.#options = options;
    this.#quota = new ObjectQuota({
      most: config.maxTemplates,
      count: (account) => templateCache.count(account),
      noun: 'templates',
      code: 'too_many_templates',
    });
    this.#history = new TemplateHistory(options.store);
    this.#samples = new SampleStore(options.store, options.clock);
    this.#templates = options.kubernetes.resource<Template>(TEMPLATE);
  }

  async create(account: string, body: NewTemplate): Promise<FullTemplate> {
    const source = changedSource({ html: body.html }, body);
    await this.#check(account, body, source);
    const template = await this.#quota.withQuota(account, () => this.#createOnce(account, body, source));
    return this.#written({ template, source });
  }

  /** Returns the current resource on the server, never from a cache. */
  async get(account: string, id: string): Promise<Template> {
    return existing(this.#templates, account, id);
  }

  async read(account: string, id: string): Promise<FullTemplate> {
    const template = await this.get(account, id);
    return { template, source: await readSource(this.#options.store, account, template.spec) };
  }

  /** Returns the current or a stored version of the template. Rejects with ApiError `version_not_found`. */
  async readVersion(account: string, id: string, version: string): Promise<FullTemplate> {
    const template = await this.get(account, id);
    if (version !== String(template.metadata.generation)) return this.#copyOf(template, version);
    return { template, source: await readSource(this.#options.store, account, template.spec) };
  }

  async #copyOf(current: Template, version: string, statusCode = 404): Promise<FullTemplate> {
    const copy = await this.#history.find(current, version);
    if (!copy) throw versionNotFound(current.metadata.name, version, statusCode);
    return copy;
  }

  /**
   * Replaces the given fields and keeps the rest. Each success raises the version by exactly one, unless it changes
   * only the samples; concurrent changes are applied one after another, each on top of the previous one. Rejects with
   * ApiError `version_conflict` when the template's version is not `expected`.
   */
  async update(
    account: string,
    id: string,
    { samples, ...change }: TemplateChange,
    expected?: number,
  ): Promise<FullTemplate> {
    const given = samples && newSamples(samples);
    return this.#change(account, id, async () => {
      const before = await this.get(account, id);
      checkVersion(id, expected, before.metadata.generation);
      if (!given || Object.keys(change).length > 0) return this.#updateOnce(before, change, given);
      const source = await readSource(this.#options.store, account, before.spec);
      return { template: await this.#replaceSamples(before, given), source };
    });
  }

  /**
   * Restores the whole content of an earlier version, which raises the version by one. Rejects with ApiError
   * `version_not_found`, or with the errors of an update when the content is no longer accepted.
   */
  async restore(account: string, id: string, version: string): Promise<FullTemplate> {
    return this.#change(account, id, () => this.#restoreOnce(account, id, version));
  }

  /**
   * Sets the version that documents use by default; null: the current one. Does not raise the version. Rejects with
   * ApiError `version_not_found` (422), and with ObjectStoreError when the current version cannot be stored.
   *
   * The version still exists afterwards: it existed when it was read, and controllers delete a version only after
   * excluding it in the status. The replace call fails if that happened after `before` was read; later, controllers see
   * the publication.
   */
  async publish(account: string, id: string, version: number | null): Promise<FullTemplate> {
    return this.#change(account, id, async () => {
      const before = await this.get(account, id);
      const source = await readSource(this.#options.store, account, before.spec);
      // The published version must be stored before the next change.
      await this.#history.record({ template: before, source }, this.#options.clock.now());
      if (version !== null) await this.#assertPublishable(before, version);
      const { [PUBLISHED_ANNOTATION]: _before, ...others } = before.metadata.annotations ?? {};
      const published = version === null ? {} : { [PUBLISHED_ANNOTATION]: String(version) };
      return { template: await this.#annotate(before, { ...others, ...published }), source };
    });
  }

  async #assertPublishable(template: Template, version: number): Promise<void> {
    if (!isKept(template, version)) throw versionNotFound(template.metadata.name, String(version), 422);
    await this.#copyOf(template, String(version), 422);
  }

  /** Returns the samples of a template as `{"samples":[…]}`. */
  async samples(account: string, id: string): Promise<Buffer> {
    let reference: string | undefined;
    for (;;) {
      const template = await this.get(account, id);
      const body = await this.#samples.read(template);
      const before = reference;
      reference = template.metadata.annotations?.[SAMPLES_REF_ANNOTATION];
      // A missing object was either replaced after the template was read or lost.
      if (body || reference === before) return body ?? NO_SAMPLES;
    }
  }

  /** Replaces the samples of a template and returns them as `samples` does. The version does not change. */
  async saveSamples(account: string, id: string, samples: SampleList): Promise<Buffer> {
    const given = newSamples(samples);
    await this.#change(account, id, async () => this.#replaceSamples(await this.get(account, id), given));
    return given.body;
  }

  async #replaceSamples(before: Template, samples: NewSamples): Promise<Template> {
    if (samples.first) this.#options.storageQuota.assertWithinQuota(before.metadata.namespace ?? 'default');
    const annotations = await this.#samples.attach(before, samples);
    const template = await this.#annotate(before, annotations);
    await this.#collectSamples(before, template);
    return template;
  }

  /** Objects that cannot be deleted now are deleted after a later save or together with the template. */
  async #collectSamples(before: Template, after: Template): Promise<void> {
    const { clock, logger } = this.#options;
    const { name, namespace } = after.metadata;
    try {
      await clock.withTimeout(() => this.#samples.collect(before, after), HISTORY_TIMEOUT_MS);
    } catch (error) {
      const template = { template: name, account: namespace };
      logger.warn({ err: error, ...template }, 'failed to delete replaced samples');
    }
  }

  async #annotate(before: Template, annotations: Record<string, string>): Promise<Template> {
    const template = await this.#templates.replace({
      ...before,
      metadata: { ...before.metadata, annotations },
    });
    this.#options.templateCache.wrote(template);
    return template;
  }

  /** Applies a change, retrying if another client changed the template in the meantime. */
  async #change<Result>(account: string, id: string, once: () => Promise<Result>): Promise<Result> {
    return this.#changes.run(`${account}/${id}`, async () => {
      for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
        try {
          return await once();
        } catch (error) {
          if (!isApiError(error, 'Conflict')) throw error;
        }
      }
      throw new ApiError('conflict', 'Other requests are changing the template. Try again in a moment.');
    });
  }

  async delete(account: string, id: string): Promise<void> {
    const template = await this.get(account, id);
    if (!(await this.#templates.deleteExactly(template))) throw templateNotFound(id);
    this.#options.templateCache.deleted(template);
  }

  /** Counts the template in the quota before resolving. */
  async #createOnce(account: string, body: NewTemplate, source: TemplateSource): Promise<Template> {
    const { clock, templateCache } = this.#options;
    const members = changedSpec({ displayName: body.name, state: 'active' }, body);
    assertAttachableEInvoice(members);
    const now = clock.now();
    const spec: TemplateSpec = {
      ...members,
      ...(await keepSource(this.#options.store, account, source, now)),
      changedAt: now.toISOString(),
    };
    const template = await this.#templates.create({
      metadata: { name: newId('tpl', now), namespace: account, annotations: changeAnnotation(1, 'created') },
      spec,
    });
    templateCache.wrote(template);
    return template;
  }

  async #updateOnce(
    before: Template,
    change: TemplateChange,
    samples: NewSamples | undefined,
  ): Promise<FullTemplate> {
    const { namespace: account = 'default' } = before.metadata;
    const source = changedSource(await this.#sourceToChange(account, before, change), change);
    await this.#check(account, change, source);
    const { html: _html, css: _css, sourceRef: _sourceRef, ...rest } = before.spec;
    const content = { spec: changedSpec(rest, change), source };
    assertAttachableEInvoice(content.spec);
    if (!samples) return this.#replace(before, content, 'updated');
    const annotations = await this.#samples.attach(before, samples);
    const metadata = { ...before.metadata, annotations };
    const after = await this.#replace({ ...before, metadata }, content, 'updated');
    await this.#collectSamples(before, after.template);
    return after;
  }

  async #restoreOnce(account: string, id: string, version: string): Promise<FullTemplate> {
    const before = await this.get(account, id);
    const { template, source } = await this.#copyOf(before, version);
    const { schema = null } = template.spec;
    await this.#check(account, { ...viewOf(template, source), schema }, source);
    return this.#replace(before, { spec: template.spec, source }, 'restored');
  }

  /** Replaces the spec and source of the template that was read. */
  async #replace(
    before: Template,
    { spec, source }: Pick<Template, 'spec'> & { readonly source: TemplateSource },
    change: TemplateChangeKind,
  ): Promise<FullTemplate> {
    const { store, clock } = this.#options;
    const { namespace = 'default', generation, annotations } = before.metadata;
    const latest = Math.max(updatedAtOf(before).getTime(), createdAtOf(before).getTime());
    const now = clock.now();
    const changedAt = new Date(Math.max(now.getTime(), latest + 1)).toISOString();
    const kept = await keepSource(store, namespace, source, now);
    const template = await this.#templates.replace({
      ...before,
      metadata: {
        ...before.metadata,
        annotations: { ...annotations, ...changeAnnotation(generation + 1, change) },
      },
      spec: { ...spec, ...kept, changedAt },
    });
    return this.#written({ template, source });
  }

  /**
   * Makes a write visible in lists and stores its version. If the version cannot be stored, the write still succeeds:
   * the controller stores it.
   */
  async #written(full: FullTemplate): Promise<FullTemplate> {
    const { templateCache, clock, logger } = this.#options;
    const { name, namespace, generation } = full.template.metadata;
    templateCache.wrote(full.template);
    try {
      await clock.withTimeout(() => this.#history.record(full, clock.now()), HISTORY_TIMEOUT_MS);
    } catch (error) {
      const version = { template: name, account: namespace, version: generation };
      logger.warn({ err: error, ...version }, 'failed to store a template version');
    }
    return full;
  }

  /** New HTML replaces a lost source: nothing else can repair such a template. */
  async #sourceToChange(
    account: string,
    { spec }: Template,
    change: TemplateChange,
  ): Promise<TemplateSource> {
    try {
      return await readSource(this.#options.store, account, spec);
    } catch (error) {
      if (change.html === undefined || !(error instanceof TemplateSourceError)) throw error;
      return { html: change.html };
    }
  }

  async #check(account: string, change: TemplateChange, source: TemplateSource): Promise<void> {
    const { checker, config, storageQuota } = this.#options;
    storageQuota.assertWithinQuota(account);
    checkSize(source, config.maxTemplateBytes);
    await checkParts(change, { checker, account });
  }
}
