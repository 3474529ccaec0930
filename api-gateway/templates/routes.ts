import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { StringEnum, TEMPLATE_STATES } from '@trifold/crds';
import { Type } from 'typebox';
import { Deleted, exampleOfDeleted, IdParams } from '../server/http/route-schemas.ts';
import {
  examplePage,
  nameMatcher,
  nameQuery,
  pageFrom,
  pageQuery,
  searchedList,
} from '../server/pagination/page.ts';
import type { GatewayConfig } from '../config.ts';
import { expectedVersion, IfMatch } from './if-match.ts';
import { samplesBodyLimit } from './sample-routes.ts';
import {
  EXAMPLE_CHANGED_TEMPLATE,
  EXAMPLE_ENTRY,
  EXAMPLE_TEMPLATE,
  NewTemplate,
  TemplateChange,
  TemplatePage,
  TemplateView,
} from './template-body.ts';
import type { TemplateCache } from './template-cache.ts';
import { viewOf } from './template-mapping.ts';
import type { TemplateRepository } from './template-repository.ts';

const createSchema = {
  operationId: 'createTemplate',
  summary: 'Create a template',
  description: [
    'Bindings use Handlebars syntax: `{{name}}`, `{{#each lines}}…{{/each}}`. The new template has version 1 and is active unless you set `status`.',
    'The service checks that each part compiles and that the schema is valid. A part whose check takes more than 5 s is also rejected; the message describes the remedy. Null fields are treated as absent.',
  ].join('\n\n'),
  tags: ['Templates'],
  body: NewTemplate,
  response: { 201: TemplateView },
  responseExamples: { 201: EXAMPLE_TEMPLATE },
  links: { 201: ['readTemplate', 'updateTemplate', 'deleteTemplate'] },
  responseHeaders: { 201: ['Location'] },
  errors: [
    'too_many_templates',
    'storage_full',
    'template_too_large',
    'template_does_not_compile',
    'invalid_schema',
    'options_invalid',
  ],
} as const;

const listSchema = {
  operationId: 'listTemplates',
  summary: 'List templates',
  description:
    'Newest first, without `html`, `css`, `schema`, `default_options` and `email`. A change made through another gateway can take a few milliseconds to appear.',
  tags: ['Templates'],
  querystring: Type.Object(
    {
      ...pageQuery,
      status: Type.Optional(StringEnum(TEMPLATE_STATES, { description: 'Only entries with this status.' })),
      email: Type.Optional(
        Type.Boolean({ description: 'Only templates with (true) or without (false) email parts.' }),
      ),
      ...nameQuery('Only entries whose name contains this string'),
    },
    { additionalProperties: false },
  ),
  response: { 200: TemplatePage },
  responseExamples: { 200: examplePage(EXAMPLE_ENTRY) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readTemplate',
  summary: 'Read a template',
  description:
    'Fields that are not set are null. `margins` are returned per side, even if the request had a single value. The ID of a template created with kubectl is its name.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: TemplateView },
  responseExamples: { 200: EXAMPLE_TEMPLATE },
  errors: ['template_not_found', 'template_unusable'],
} as const;

const updateSchema = {
  operationId: 'updateTemplate',
  summary: 'Change a template',
  description: [
    'Replaces the fields that you send; the others do not change. The version increases by one, unless you send only `samples`. With `If-Match`, the change succeeds only if the template is still at that version. Accepted documents are not affected.',
    'A null value removes `description`, `css`, `schema`, `default_options`, `email` or `e_invoice`. A new `email` or `e_invoice` replaces the whole field. With `samples`, the body may exceed the usual limit by up to 2 MiB.',
  ].join('\n\n'),
  tags: ['Templates'],
  params: IdParams,
  body: TemplateChange,
  requestHeaders: IfMatch,
  response: { 200: TemplateView },
  responseExamples: { 200: { ...EXAMPLE_CHANGED_TEMPLATE, name: 'Invoice, 2026' } },
  errors: [
    'template_not_found',
    'conflict',
    'version_conflict',
    'storage_full',
    'template_too_large',
    'template_does_not_compile',
    'template_unusable',
    'invalid_schema',
    'options_invalid',
  ],
} as const;

const deleteSchema = {
  operationId: 'deleteTemplate',
  summary: 'Delete a template',
  description: 'Deletes the template permanently. Generated and accepted documents are not affected.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: Deleted },
  responseExamples: { 200: exampleOfDeleted(EXAMPLE_ENTRY) },
  errors: ['template_not_found'],
} as const;

/** /v1/templates */
export const templateRoutes: FastifyPluginAsyncTypebox<{
  templates: TemplateRepository;
  cache: TemplateCache;
  config: GatewayConfig;
}> = async (app, { templates, cache, config }) => {
  app.post('/v1/templates', { schema: createSchema }, async (request, reply) => {
    const { template, source } = await templates.create(request.caller.account, request.body);
    return reply
      .code(201)
      .header('location', `/v1/templates/${template.metadata.name}`)
      .send(viewOf(template, source));
  });

  app.get('/v1/templates', { schema: listSchema }, async ({ caller: { account }, query }) => {
    const { status, email, q, ...page } = query;
    const kind = email === undefined ? '' : `/email=${email}`;
    const list = searchedList(`templates/${account}/${status ?? ''}${kind}`, q);
    const { data, pagination } = await pageFrom({ list, ...page }, async () => {
      const all = await cache.list(account);
      const matches = nameMatcher(q);
      return all.filter(
        ({ entry }) =>
          (status === undefined || entry.status === status) &&
          (email === undefined || entry.isEmail === email) &&
          matches(entry.name),
      );
    });
    return { data: data.map(({ isEmail: _isEmail, ...entry }) => entry), pagination };
  });

  app.get('/v1/templates/:id', { schema: readSchema }, async (request) => {
    const { template, source } = await templates.read(request.caller.account, request.params.id);
    return viewOf(template, source);
  });

  const updateOptions = { schema: updateSchema, bodyLimit: samplesBodyLimit(config) };
  app.patch('/v1/templates/:id', updateOptions, async (request) => {
    const { caller, params, body, headers } = request;
    const expected = expectedVersion(headers['if-match']);
    const { template, source } = await templates.update(caller.account, params.id, body, expected);
    return viewOf(template, source);
  });

  app.delete('/v1/templates/:id', { schema: deleteSchema }, async (request) => {
    const { id } = request.params;
    await templates.delete(request.caller.account, id);
    return { id, deleted: true as const };
  });
};
