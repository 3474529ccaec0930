import { newId, TEMPLATE, type Template, type TemplateSpec } from '@trifold/crds';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { TemplateSource } from '@trifold/platform/templating/revisions/revision.ts';
import {
  keepSource,
  readSource,
  TemplateSourceError,
} from '@trifold/platform/templating/revisions/template-source.ts';
import { ApiError } from '../server/errors/api-error.ts';
import { checkDefaultOptions } from '../work/admission/options-check.ts';
import { isResourceName } from '../work/admission/resource-name.ts';
import { KeyedLock } from './keyed-lock.ts';
import type { NewTemplate, TemplateChange } from './template-body.ts';
import { checkEmailSyntax, checkSchema, checkSize, checkSyntax } from './template-checks.ts';
import type { TemplateCache } from './template-cache.ts';
import { changedSource, changedSpec, createdAtOf, updatedAtOf } from './template-mapping.ts';

/** A template with its html and css, wherever they are stored. */
export interface FullTemplate {
  readonly template: Template;
  readonly source: TemplateSource;
}

/** Maximum attempts to apply a change that conflicts with changes by another gateway or kubectl. */
const MOST_CONFLICTS = 100;

export interface TemplateRepositoryOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly checker: TemplateChecker;
  /** Receives every write. */
  readonly directory: TemplateCache;
  /** Maximum bytes of html and css together. */
  readonly maxTemplateBytes: number;
}

/** Templates of accounts as Template resources. Every method rejects with ApiError for errors of the caller. */
export class TemplateRepository {
  readonly #templates: ResourceClient<Template>;
  readonly #options: TemplateRepositoryOptions;
  readonly #changes = new KeyedLock();

  constructor(options: TemplateRepositoryOptions) {
    this.#options = options;
    this.#templates = options.kubernetes.resource<Template>(TEMPLATE);
  }

  async create(account: string, body: NewTemplate): Promise<FullTemplate> {
    const { clock } = this.#options;
    const source = changedSource({ html: body.html }, body);
    await this.#check(account, body, source);
    const members = changedSpec({ displayName: body.name, state: 'active' }, body);
    const now = clock.now();
    const spec: TemplateSpec = {
      ...members,
      ...(await keepSource(this.#options.store, account, source, now)),
      changedAt: now.toISOString(),
    };
    const template = await this.#templates.create({
      metadata: { name: newId('tpl', now), namespace: account },
      spec,
    });
    this.#options.directory.wrote(template);
    return { template, source };
  }

  /** Returns the current resource on the server, never from a cache. */
  async get(account: string, id: string): Promise<Template> {
    const template = isResourceName(id) ? await this.#templates.find(account, id) : undefined;
    if (!template || template.metadata.deletionTimestamp !== undefined) throw templateNotFound(id);
    return template;
  }

  async read(account: string, id: string): Promise<FullTemplate> {
    const template = await this.get(account, id);
    return { template, source: await readSource(this.#options.store, account, template.spec) };
  }

  /**
   * Replaces the given members and keeps the rest. Each success raises the version by exactly one; concurrent changes
   * are applied one after another, each on top of the previous one.
   */
  async update(account: string, id: string, change: TemplateChange): Promise<FullTemplate> {
    return this.#changes.run(`${account}/${id}`, async () => {
      for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts++) {
        try {
          return await this.#updateOnce(account, id, change);
        } catch (error) {
          if (!isApiError(error, 'Conflict')) throw error;
        }
      }
      throw new ApiError('conflict', 'The template is being changed too often at this moment; try again.');
    });
  }

  async delete(account: string, id: string): Promise<void> {
    const template = await this.get(account, id);
    try {
      await this.#templates.delete(account, id, { uid: template.metadata.uid });
      this.#options.directory.deleted(template);
    } catch (error) {
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) throw templateNotFound(id);
      throw error;
    }
  }

  async #updateOnce(account: string, id: string, change: TemplateChange): Promise<FullTemplate> {
    const { store, clock } = this.#options;
    const before = await this.#readToChange(account, id, change);
    const source = changedSource(before.source, change);
    await this.#check(account, change, source);
    const { html: _html, css: _css, sourceRef: _sourceRef, ...rest } = before.template.spec;
    const latest = Math.max(updatedAtOf(before.template).getTime(), createdAtOf(before.template).getTime());
    const now = clock.now();
    const changedAt = new Date(Math.max(now.getTime(), latest + 1)).toISOString();
    const kept = await keepSource(store, account, source, now);
    const spec: TemplateSpec = { ...changedSpec(rest, change), ...kept, changedAt };
    const template = await this.#templates.replace({ ...before.template, spec });
    this.#options.directory.wrote(template);
    return { template, source };
  }

  /** New html replaces a lost source: nothing else can repair such a template. */
  async #readToChange(account: string, id: string, change: TemplateChange): Promise<FullTemplate> {
    const template = await this.get(account, id);
    try {
      return { template, source: await readSource(this.#options.store, account, template.spec) };
    } catch (error) {
      if (change.html === undefined || !(error instanceof TemplateSourceError)) throw error;
      return { template, source: { html: change.html } };
    }
  }

  async #check(account: string, change: TemplateChange, source: TemplateSource): Promise<void> {
    const { checker, maxTemplateBytes } = this.#options;
    const checks = { checker, account };
    checkSize(source, maxTemplateBytes);
    if (change.html !== undefined) await checkSyntax(change.html, checks);
    if (change.schema) await checkSchema(change.schema, checks);
    if (change.email) await checkEmailSyntax(change.email, checks);
    if (change.default_options) await checkDefaultOptions(change.default_options, checks);
  }
}

/** 404: the caller's account has no such template. */
export function templateNotFound(id: string): ApiError {
  const message = `There is no template ${JSON.stringify(id)} in this account. GET /v1/templates lists those there are.`;
  return new ApiError('template_not_found', message);
}
