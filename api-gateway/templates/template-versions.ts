import { TEMPLATE_WRITERS, TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import { StringEnum, TEMPLATE_CHANGES, Timestamp } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { Type, type Static } from 'typebox';
import type { SharedCursorSealer } from '../server/pagination/cursor-key.ts';
import { pageFrom, pageOf } from '../server/pagination/page.ts';
import type { TemplateRepository } from './template-repository.ts';

/** A version in the list. */
export const TemplateVersionEntry = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Version of the template.' }),
    created_at: Timestamp({ description: 'Time of the change; for kubectl, when the service saw it.' }),
    change: StringEnum(TEMPLATE_CHANGES, { description: 'Origin of the content.' }),
    by: StringEnum(TEMPLATE_WRITERS, {
      description: '`key`: through `/v1`. `kubectl`: through the API server.',
    }),
  },
  { title: 'TemplateVersion', description: 'A stored version of a template.' },
);
export type TemplateVersionEntry = Static<typeof TemplateVersionEntry>;

/** A page of the versions of a template. */
export const TemplateVersionPage = pageOf(TemplateVersionEntry, 'TemplateVersionList');
export type TemplateVersionPage = Static<typeof TemplateVersionPage>;

export interface TemplateVersionsOptions {
  readonly templates: TemplateRepository;
  readonly store: ObjectStore;
  readonly cursors: SharedCursorSealer;
}

/** Lists the stored versions of templates. */
export class TemplateVersions {
  readonly #templates: TemplateRepository;
  readonly #history: TemplateHistory;
  readonly #cursors: SharedCursorSealer;

  constructor({ templates, store, cursors }: TemplateVersionsOptions) {
    this.#templates = templates;
    this.#history = new TemplateHistory(store);
    this.#cursors = cursors;
  }

  /** Rejects with ApiError `template_not_found` or `invalid_cursor`. */
  async page(
    account: string,
    id: string,
    query: { limit: number; cursor?: string },
  ): Promise<TemplateVersionPage> {
    const { uid } = (await this.#templates.get(account, id)).metadata;
    const list = `template-versions/${account}/${uid}`;
    const { data, pagination } = await pageFrom(this.#cursors, { list, ...query }, async () =>
      (await this.#history.versions(account, uid)).map((version) => ({
        entry: version,
        position: { createdAt: version, id: '' },
      })),
    );
    const described = await Promise.all(data.map((version) => this.#history.describe(account, uid, version)));
    // A version can be deleted after it was listed.
    const entries = described.filter((entry) => entry !== undefined);
    return {
      data: entries.map(({ createdAt, ...entry }) => ({ ...entry, created_at: createdAt.toISOString() })),
      pagination,
    };
  }
}
