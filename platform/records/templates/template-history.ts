import {
  CHANGE_ANNOTATION,
  PUBLISHED_ANNOTATION,
  TEMPLATE_CHANGES,
  templateHistoryPrefix,
  templateThumbnailKey,
  templateVersionKey,
  type Template,
  type TemplateChangeKind,
} from '@trifold/crds';
import { identityMetadata } from '../../kubernetes/cache/identity-metadata.ts';
import type { ObjectStore } from '../../object-store/port.ts';
import type { TemplateSource } from '../../templating/revisions/revision.ts';

/** Clients that write templates: the gateway for an API key, or any client of the API server. */
export const TEMPLATE_WRITERS = ['key', 'kubectl'] as const;

/** A version's time and origin. */
export interface TemplateVersion {
  readonly version: number;
  readonly createdAt: Date;
  readonly change: TemplateChangeKind;
  readonly by: (typeof TEMPLATE_WRITERS)[number];
}

/** One version of a template. Its spec has no `html`, `css` or `sourceRef`; the source has them. */
export interface TemplateCopy {
  readonly template: Template;
  readonly source: TemplateSource;
}

/**
 * Complete copies of template versions in the object store. The gateway and the controller store the same copy of a
 * version, so either may be first. Every method rejects with ObjectStoreError.
 */
export class TemplateHistory {
  readonly #store: ObjectStore;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Stores a version unless it is already stored. `now` is its time if a client other than the gateway wrote it. */
  async record({ template, source }: TemplateCopy, now: Date): Promise<void> {
    const { namespace = 'default', uid, generation } = template.metadata;
    const { createdAt, change, by } = versionOf(template, now);
    await this.#store.put(
      templateVersionKey(namespace, uid, generation),
      JSON.stringify({ template: withoutSource(template), source }),
      {
        contentType: 'application/json',
        metadata: { created: createdAt.toISOString(), change, by },
        ifAbsent: true,
      },
    );
  }

  /** Returns the stored versions, newest first. */
  async versions(account: string, uid: string): Promise<number[]> {
    const prefix = templateHistoryPrefix(account, uid);
    const { objects } = await this.#store.list(prefix);
    return objects
      .map(({ key }) => Number(key.slice(prefix.length)))
      .filter((version) => Number.isSafeInteger(version))
      .sort((left, right) => right - left);
  }

  /** Returns the time and origin of a version; undefined if it is not stored. */
  async describe(account: string, uid: string, version: number): Promise<TemplateVersion | undefined> {
    const info = await this.#store.head(templateVersionKey(account, uid, version));
    if (!info) return undefined;
    const { created = '', change, by } = info.metadata;
    return {
      version,
      createdAt: parsedTime(created) ?? info.lastModified,
      change: TEMPLATE_CHANGES.find((each) => each === change) ?? 'updated',
      by: by === 'key' ? 'key' : 'kubectl',
    };
  }

  /** Returns a version; undefined if it is not stored. */
  async read(account: string, uid: string, version: number): Promise<TemplateCopy | undefined> {
    const body = await this.#store.read(templateVersionKey(account, uid, version));
    return body && (JSON.parse(body.toString()) as TemplateCopy);
  }

  /**
   * Returns the template version that a string names, such as a path or PUBLISHED_ANNOTATION; undefined if the string
   * is not a version, or the version is not stored.
   */
  async find({ metadata }: Template, version: string): Promise<TemplateCopy | undefined> {
    const { namespace = 'default', uid } = metadata;
    return /^[1-9]\d{0,15}$/.test(version) ? this.read(namespace, uid, Number(version)) : undefined;
  }

  /** Returns the named version of a template as a resource with inline html and css; undefined when it is not stored. */
  async load(current: Template, version: string): Promise<Template | undefined> {
    if (version === String(current.metadata.generation)) return current;
    const copy = await this.find(current, version);
    return copy && { ...copy.template, spec: { ...copy.template.spec, ...copy.source } };
  }

  /** Deletes a version and its thumbnail. Only for a version that its template's status excludes. */
  async delete(account: string, uid: string, version: number): Promise<void> {
    await this.#store.delete(templateThumbnailKey(account, uid, version));
    await this.#store.delete(templateVersionKey(account, uid, version));
  }
}

/** Returns the version that work uses if it names none: the published version, otherwise the current one. */
export function liveVersion({ metadata }: Pick<Template, 'metadata'>): string {
  return metadata.annotations?.[PUBLISHED_ANNOTATION] ?? String(metadata.generation);
}

/** Whether the version is neither deleted nor about to be deleted, according to the template. */
export function isKept(
  { metadata, status }: Pick<Template, 'metadata' | 'status'>,
  version: number,
): boolean {
  const { oldest = 1, published } = status?.history ?? {};
  // A restored status can belong to another template.
  return version >= oldest || version === published || oldest > metadata.generation;
}

/** Returns the value of CHANGE_ANNOTATION for a write by the gateway. */
export function changeAnnotation(version: number, change: TemplateChangeKind): Record<string, string> {
  return { [CHANGE_ANNOTATION]: `${version} ${change}` };
}

function versionOf({ metadata, spec }: Template, now: Date): TemplateVersion {
  const { generation: version } = metadata;
  const [annotated, name] = (metadata.annotations?.[CHANGE_ANNOTATION] ?? '').split(' ');
  const change = TEMPLATE_CHANGES.find((each) => each === name);
  if (change && annotated === String(version)) {
    return { version, createdAt: parsedTime(spec.changedAt) ?? now, change, by: 'key' };
  }
  if (version > 1) return { version, createdAt: now, change: 'updated', by: 'kubectl' };
  return { version, createdAt: new Date(metadata.creationTimestamp), change: 'created', by: 'kubectl' };
}

/** Returns undefined for a string that is not a time: kubectl can write any string. */
function parsedTime(text = ''): Date | undefined {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Keeps only the fields that identify the version, and its spec. */
function withoutSource({ apiVersion, kind, metadata, spec }: Template): Template {
  const { html: _html, css: _css, sourceRef: _sourceRef, ...rest } = spec;
  return { apiVersion, kind, metadata: identityMetadata(metadata), spec: rest };
}
