import { segment, type CallOptions } from '../transport/call.ts';
import type { Transport } from '../transport/transport.ts';
import type { GenerationOptions } from './generation-options.ts';
import { everyEntry, type Page, type PageQuery } from './pages.ts';

const PATH = '/v1/templates';

/** Archived templates make no documents; drafts do. */
export type TemplateStatus = 'active' | 'draft' | 'archived';

/** A value of a template's data: what it must be (interface, "Template schema"). */
export interface NestedField {
  type?: 'string' | 'number' | 'boolean' | 'array' | 'object';
  required?: boolean;
  default?: unknown;
  description?: string;
  format?: 'email' | 'url' | 'date';
  minLength?: number;
  maxLength?: number;
  /** RE2 syntax. */
  pattern?: string;
  min?: number;
  max?: number;
  integer?: boolean;
  minItems?: number;
  maxItems?: number;
  items?: NestedField;
  properties?: Record<string, NestedField>;
}

/** A binding of a template. */
export interface FieldDefinition extends NestedField {
  name: string;
  type: 'string' | 'number' | 'boolean' | 'array' | 'object';
}

/** What the data of a template must be. Members that it does not name may be anything. */
export interface TemplateSchema {
  fields: FieldDefinition[];
}

/** What makes a template a letter that `emails.compile` takes. All members have bindings. */
export interface TemplateEmail {
  subject: string;
  preheader?: string;
  /** Made from the html when left out. */
  text?: string;
}

/** Body of a create. */
export interface NewTemplate {
  name: string;
  /** HTML with `{{bindings}}`. */
  html: string;
  css?: string | null;
  description?: string | null;
  /** @default 'active' */
  status?: TemplateStatus;
  schema?: TemplateSchema | null;
  default_options?: GenerationOptions | null;
  email?: TemplateEmail | null;
}

/** Body of an update: members that are left out stay; null takes one away that may be missing. */
export type TemplateChange = Partial<NewTemplate>;

/** A template as a list shows it. */
export interface TemplateEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly status: TemplateStatus;
  /** 1 at first; each update raises it by one. */
  readonly version: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** One template in full. */
export interface Template extends TemplateEntry {
  readonly html: string;
  readonly css: string | null;
  readonly schema: TemplateSchema | null;
  readonly default_options: GenerationOptions | null;
  readonly email: TemplateEmail | null;
}

/** Which templates a list shows. */
export interface TemplateQuery extends PageQuery {
  /** Only templates in this state. */
  readonly status?: TemplateStatus | undefined;
}

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
  async delete(id: string, options?: CallOptions): Promise<{ readonly id: string; readonly deleted: true }> {
    return this.#transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `${PATH}/${segment(id)}`;
}
