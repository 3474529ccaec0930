import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { StringEnum, TEMPLATE_CHANGES, Timestamp } from '@trifold/crds';
import { TEMPLATE_WRITERS, TemplateHistory } from '@trifold/platform/records/templates/template-history.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { Type, type Static } from 'typebox';
import { IdParams } from '../server/http/route-schemas.ts';
import { examplePage, pageFrom, pageOf, pageQuery } from '../server/pagination/page.ts';
import { EXAMPLE_CHANGED_TEMPLATE, EXAMPLE_TEMPLATE, TemplateView } from './template-body.ts';
import { viewOf } from './template-mapping.ts';
import type { TemplateRepository } from './template-repository.ts';

/** A version in the list. */
const TemplateVersionEntry = Type.Object(
  {
    version: Type.Integer({ minimum: 1, description: 'Version of the template.' }),
    created_at: Timestamp({
      description:
        'Time of the change. For a change made with kubectl, the time at which the service detected it.',
    }),
    change: StringEnum(TEMPLATE_CHANGES, { description: 'Origin of the content.' }),
    by: StringEnum(TEMPLATE_WRITERS, {
      description: '`key`: through `/v1`. `kubectl`: through the API server.',
    }),
  },
  { title: 'TemplateVersion', description: 'A stored version of a template.' },
);

const EXAMPLE: Static<typeof TemplateVersionEntry> = {
  version: 1,
  created_at: '2026-11-21T09:58:12.000Z',
  change: 'created',
  by: 'key',
};

/** The version's format is not checked: an invalid one returns 404. */
export const VersionParams = Type.Object({
  ...IdParams.properties,
  version: Type.String({ description: '`version` of the template.', examples: ['1'] }),
});

const Publication = Type.Object(
  {
    version: Type.Unsafe<number | null>({
      type: 'integer',
      nullable: true,
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Stored version of the template, or null for the current one.',
    }),
  },
  { title: 'Publication', additionalProperties: false, examples: [{ version: 1 }] },
);

const listSchema = {
  operationId: 'listTemplateVersions',
  summary: 'List template versions',
  description:
    'Newest first. Every change creates a version. By default, the service keeps the last 100 versions and the published one. If you make several changes with kubectl in quick succession, some may be missing.',
  tags: ['Templates'],
  params: IdParams,
  querystring: Type.Object(pageQuery, { additionalProperties: false }),
  response: { 200: pageOf(TemplateVersionEntry, 'TemplateVersionList') },
  responseExamples: {
    200: examplePage(
      { ...EXAMPLE, version: 2, created_at: '2026-11-23T16:04:40.000Z', change: 'updated' },
      EXAMPLE,
    ),
  },
  errors: ['template_not_found', 'invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readTemplateVersion',
  summary: 'Read a template version',
  description: 'Returns the complete template as of this version.',
  tags: ['Templates'],
  params: VersionParams,
  response: { 200: TemplateView },
  responseExamples: { 200: EXAMPLE_TEMPLATE },
  errors: ['template_not_found', 'version_not_found'],
} as const;

const restoreSchema = {
  operationId: 'restoreTemplateVersion',
  summary: 'Restore a template version',
  description:
    "Restores the template to the version's content, name, description and status. The result is a new version, which must pass the same checks as a change. Accepted documents are not affected.",
  tags: ['Templates'],
  params: VersionParams,
  response: { 200: TemplateView },
  responseExamples: { 200: { ...EXAMPLE_CHANGED_TEMPLATE, version: 3 } },
  errors: [
    'template_not_found',
    'version_not_found',
    'conflict',
    'storage_full',
    'template_too_large',
    'template_does_not_compile',
    'invalid_schema',
    'options_invalid',
  ],
} as const;

const publishSchema = {
  operationId: 'publishTemplateVersion',
  summary: 'Publish a template version',
  description: [
    'Documents and emails use the published version unless their request names another version, so you can change the template without affecting them. If you send null, documents and emails use the saved version again. Publishing does not increase the version.',
    'The status of the saved version determines whether the template generates documents. In Kubernetes, the published version is stored in the `trifold.dev/published-version` annotation.',
  ].join('\n\n'),
  tags: ['Templates'],
  params: IdParams,
  body: Publication,
  response: { 200: TemplateView },
  responseExamples: { 200: { ...EXAMPLE_CHANGED_TEMPLATE, version: 3, published_version: 1 } },
  errors: [
    'template_not_found',
    { code: 'version_not_found', statusCode: 422 },
    'template_unusable',
    'conflict',
  ],
} as const;

/** /v1/templates/:id/versions */
export const versionRoutes: FastifyPluginAsyncTypebox<{
  templates: TemplateRepository;
  store: ObjectStore;
}> = async (app, { templates, store }) => {
  const history = new TemplateHistory(store);

  app.get('/v1/templates/:id/versions', { schema: listSchema }, async ({ caller, params, query }) => {
    const { account } = caller;
    const { uid } = (await templates.get(account, params.id)).metadata;
    const list = `template-versions/${account}/${uid}`;
    const { data, pagination } = await pageFrom({ list, ...query }, async () =>
      (await history.versions(account, uid)).map((version) => ({
        entry: version,
        position: { createdAt: version, id: '' },
      })),
    );
    const described = await Promise.all(data.map((version) => history.describe(account, uid, version)));
    // A version may have been deleted since it was listed.
    const entries = described.filter((entry) => entry !== undefined);
    return {
      data: entries.map(({ createdAt, ...entry }) => ({ ...entry, created_at: createdAt.toISOString() })),
      pagination,
    };
  });

  app.get('/v1/templates/:id/versions/:version', { schema: readSchema }, async ({ caller, params }) => {
    const { template, source } = await templates.readVersion(caller.account, params.id, params.version);
    return viewOf(template, source);
  });

  app.post(
    '/v1/templates/:id/versions/:version/restore',
    { schema: restoreSchema },
    async ({ caller, params }) => {
      const { template, source } = await templates.restore(caller.account, params.id, params.version);
      return viewOf(template, source);
    },
  );

  app.post('/v1/templates/:id/publish', { schema: publishSchema }, async ({ caller, params, body }) => {
    const { template, source } = await templates.publish(caller.account, params.id, body.version);
    return viewOf(template, source);
  });
};
