import { checkedSession, segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { everyEntry, ListedResource, Resource, type Page, type Query, type Schemas } from './resource.ts';

const PATH = '/v1/templates';

/** Status of a template. Archived templates cannot generate documents; drafts can. */
export type TemplateStatus = TemplateEntry['status'];

/** Definition of a nested value in a template's data (interface, "Template schema"). */
export type NestedField = Schemas['NestedField'];

/** A binding in a template. */
export type FieldDefinition = Schemas['Field'];

/** Schema of a template's data. Fields that it does not define may have any value. */
export type TemplateSchema = Schemas['DataSchema'] & { fields: FieldDefinition[] };

/** Makes a template an email template for `emails.compile`. All fields may contain bindings. */
export type TemplateEmail = Schemas['TemplateEmail'];

/** Request body for creating a template. */
export type NewTemplate = Schemas['TemplateRequest'];

/** Request body for updating a template: absent fields are left unchanged; null removes an optional field. */
export type TemplateChange = Schemas['TemplateChange'];

/** A template in a list. */
export type TemplateEntry = Readonly<Schemas['TemplateEntry']>;

/** One template in full. If it was applied with kubectl, its `schema` may be one that `create` would reject. */
export type Template = Readonly<Omit<Schemas['Template'], 'schema'> & { schema: TemplateSchema | null }>;

/** Filter for a template list. */
export type TemplateQuery = Query<'listTemplates'>;

/** Request body for a preview: a template, saved or not, and data. */
export type PreviewRequest = Schemas['PreviewRequest'];

/** Request body for previewing a stored version: only `data`. */
export type VersionPreviewRequest = Schemas['VersionPreviewRequest'];

/** A preview. `file` is Base64, or null if `errors` lists the reasons. */
export type Preview = Readonly<Schemas['Preview']>;

/** A problem with a template, or with its schema, options or data. */
export type PreviewError = Readonly<Schemas['PreviewError']>;

/** Options for a preview. */
export interface PreviewOptions extends CallOptions {
  /**
   * Identifies an editor: a newer preview in the same session cancels this one, which then rejects with ConflictError
   * `preview_superseded`. 1 to 255 characters of printable ASCII without spaces.
   */
  readonly session?: string | undefined;
}

/** Options for an update. */
export interface UpdateOptions extends CallOptions {
  /** Version the change is based on. @default the current one */
  readonly ifVersion?: number | undefined;
}

/** A stored version of a template, in a list. */
export type TemplateVersion = Readonly<Schemas['TemplateVersion']>;

/** Page of a version list. */
export type TemplateVersionQuery = Query<'listTemplateVersions'>;

/** A template's stored versions. Every method rejects with TrifoldError `template_not_found`. */
export class TemplateVersions extends Resource {
  /** Returns one page, newest first. */
  async page(
    id: string,
    query: TemplateVersionQuery = {},
    options?: CallOptions,
  ): Promise<Page<TemplateVersion>> {
    const path = `${PATH}/${segment(id)}/versions`;
    return this.transport.json({ method: 'GET', path, query: { ...query }, options });
  }

  /** Iterates over all stored versions, newest first, and loads pages on demand. */
  list(
    id: string,
    query: TemplateVersionQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<TemplateVersion, void, undefined> {
    return everyEntry((cursor) => this.page(id, { ...query, cursor }, options), query.cursor);
  }

  /** Returns the whole template as it was. Rejects with TrifoldError `version_not_found`. */
  async get(id: string, version: number, options?: CallOptions): Promise<Template> {
    return this.transport.json({ method: 'GET', path: versionPath(id, version), options });
  }

  /**
   * Renders a version as `templates.preview` does, but with the `templates:read` scope. Never retried. Rejects with
   * TrifoldError `version_not_found`.
   */
  async preview(
    id: string,
    version: number,
    request: VersionPreviewRequest,
    options?: PreviewOptions,
  ): Promise<Preview> {
    return previewOf(this.transport, `${versionPath(id, version)}/preview`, request, options);
  }

  /**
   * Restores the whole content of a version as a new version of the template. Never retried. Rejects with TrifoldError
   * `version_not_found`.
   */
  async restore(id: string, version: number, options?: CallOptions): Promise<Template> {
    return this.transport.json({ method: 'POST', path: `${versionPath(id, version)}/restore`, options });
  }
}

/** Named sample data for a template. */
export type TemplateSample = Readonly<Schemas['Sample']>;

/** The account's templates. */
export class Templates extends ListedResource<TemplateEntry, TemplateQuery> {
  readonly versions: TemplateVersions;
  protected readonly path = PATH;

  constructor(transport: Transport) {
    super(transport);
    this.versions = new TemplateVersions(transport);
  }

  /** Creates a template. Never retried: if no response arrives, check whether it exists before you try again. */
  async create(template: NewTemplate, options?: CallOptions): Promise<Template> {
    return this.transport.json({ method: 'POST', path: PATH, body: template, options });
  }

  /** Returns one template in full. Rejects with TrifoldError `template_not_found`. */
  async get(id: string, options?: CallOptions): Promise<Template> {
    return this.transport.json({ method: 'GET', path: this.pathOf(id), options });
  }

  /**
   * Replaces the given fields and increases the version by one. Never retried: if no response arrives, check the
   * version before you try again. Rejects with TrifoldError `template_not_found`, or with `version_conflict` when the
   * template's version is not `ifVersion`.
   */
  async update(id: string, change: TemplateChange, options?: UpdateOptions): Promise<Template> {
    const { ifVersion } = options ?? {};
    const headers = ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` };
    return this.transport.json({ method: 'PATCH', path: this.pathOf(id), body: change, headers, options });
  }

  /**
   * Publishes a version for document requests that do not name one; with null, they use the saved version. Never
   * retried. Rejects with TrifoldError `version_not_found`.
   */
  async publish(id: string, version: number | null, options?: CallOptions): Promise<Template> {
    const path = this.pathOf(id, '/publish');
    return this.transport.json({ method: 'POST', path, body: { version }, options });
  }

  /** Returns a template's sample data. Rejects with TrifoldError `template_not_found`. */
  async samples(id: string, options?: CallOptions): Promise<readonly TemplateSample[]> {
    const path = this.pathOf(id, '/samples');
    const body = await this.transport.json<Schemas['TemplateSamples']>({ method: 'GET', path, options });
    return body.samples;
  }

  /**
   * Replaces a template's sample data: at most 20 samples, 1 MiB each and 2 MiB in total as JSON. The version does not
   * change. Rejects with TrifoldError `template_not_found`, `invalid_request`, `conflict` or `storage_full`.
   */
  async saveSamples(id: string, samples: readonly TemplateSample[], options?: CallOptions): Promise<void> {
    const path = this.pathOf(id, '/samples');
    await this.transport.json({ method: 'PUT', path, body: { samples }, options });
  }

  /**
   * Renders a template, saved or not, with the watermark PREVIEW. Nothing is stored or counted. Never retried. Rejects
   * with RateLimitError `too_many_previews` when the account has too many previews in progress.
   */
  async preview(request: PreviewRequest, options?: PreviewOptions): Promise<Preview> {
    return previewOf(this.transport, `${PATH}/preview`, request, options);
  }

  /** Deletes a template permanently; documents generated from it are kept. */
  async delete(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.transport.json({ method: 'DELETE', path: this.pathOf(id), options });
  }
}

function versionPath(id: string, version: number): string {
  return `${PATH}/${segment(id)}/versions/${segment(String(version))}`;
}

async function previewOf(
  transport: Transport,
  path: string,
  body: PreviewRequest | VersionPreviewRequest,
  { session, ...options }: PreviewOptions = {},
): Promise<Preview> {
  const headers = session === undefined ? {} : { 'preview-session': checkedSession(session) };
  return transport.json({ method: 'POST', path, body, headers, options });
}
