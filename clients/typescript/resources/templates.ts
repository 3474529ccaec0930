import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import { everyEntry, type Page } from './pages.ts';
import type { Query, Schemas } from './schemas.ts';

const PATH = '/v1/templates';

/** Archived templates make no documents; drafts do. */
export type TemplateStatus = TemplateEntry['status'];

/** A value of a template's data: what it must be (interface, "Template schema"). */
export type NestedField = Schemas['NestedField'];

/** A binding of a template. */
export type FieldDefinition = Schemas['Field'];

/** What the data of a template must be. Members that it does not name may be anything. */
export type TemplateSchema = Schemas['DataSchema'] & { fields: FieldDefinition[] };

/** What makes a template an email template that `emails.compile` takes. All members have bindings. */
export type TemplateEmail = Schemas['TemplateEmail'];

/** Body of a create. */
export type NewTemplate = Schemas['NewTemplate'];

/** Body of an update: members that are left out stay; null takes one away that may be missing. */
export type TemplateChange = Schemas['TemplateChange'];

/** A template as a list shows it. */
export type TemplateEntry = Readonly<Schemas['TemplateEntry']>;

/** One template in full. The service promises less of `schema`: kubectl may have applied one that `create` refuses. */
export type Template = Readonly<Omit<Schemas['Template'], 'schema'> & { schema: TemplateSchema | null }>;

/** Which templates a list shows. */
export type TemplateQuery = Query<'listTemplates'>;

/** The templates of the account. */
export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sent once: without an answer, look whether it is there before you try again. */
  async create(template: NewTemplate, options?: CallOptions): Promise<Template> {
    return this.#transport.json({ method: 'POST', path: PATH, body: template, options });
  }

  /** One template in full. Rejects with TrifoldError `template_not_found`. */
  async get(id: string, options?: CallOptions): Promise<Template> {
    return this.#transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** One page. */
  async page(query: TemplateQuery = {}, options?: CallOptions): Promise<Page<TemplateEntry>> {
    return this.#transport.json({ method: 'GET', path: PATH, query: { ...query }, options });
  }

  /** Every template, page by page as they are needed: `for await (const template of client.templates.list())`. */
  list(query: TemplateQuery = {}, options?: CallOptions): AsyncGenerator<TemplateEntry, void, undefined> {
    return everyEntry((cursor) => this.page({ ...query, cursor }, options), query.cursor);
  }

  /**
   * Replaces the members that are given and raises the version by one. Sent once: without an answer, look at the version
   * before you try again. Rejects with TrifoldError `template_not_found`.
   */
  async update(id: string, change: TemplateChange, options?: CallOptions): Promise<Template> {
    return this.#transport.json({ method: 'PATCH', path: pathOf(id), body: change, options });
  }

  /** For good; documents that were made from it stay. */
  async delete(id: string, options?: CallOptions): Promise<Readonly<Schemas['Deleted']>> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}
