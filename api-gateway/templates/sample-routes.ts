import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { IdParams } from '../server/http/route-schemas.ts';
import type { GatewayConfig } from '../config.ts';
import { MAX_SAMPLES_BYTES, SampleList } from './samples.ts';
import type { TemplateRepository } from './template-repository.ts';

const EXAMPLE = { samples: [{ name: 'Two pages', data: { number: 'A-17', lines: [] } }] };

const Samples = Type.Object(
  { samples: SampleList },
  {
    additionalProperties: false,
    title: 'TemplateSamples',
    description: 'Named sample data for a template.',
    examples: [EXAMPLE],
  },
);

const readSchema = {
  operationId: 'readTemplateSamples',
  summary: 'Read sample data',
  description:
    'Sample data for previews and tests. Empty if the template has no samples. In Kubernetes, the `trifold.dev/samples-ref` annotation contains the key, SHA-256 and size of the samples in the object store. Samples in the `trifold.dev/samples` annotation, which you can set with kubectl, override them until the next save.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: Samples },
  responseExamples: { 200: EXAMPLE },
  errors: ['template_not_found'],
} as const;

const saveSchema = {
  operationId: 'saveTemplateSamples',
  summary: 'Save sample data',
  description:
    'Replaces all samples. They are stored with the template and deleted with it. The version does not increase. The body may exceed the usual limit by up to 2 MiB.',
  tags: ['Templates'],
  params: IdParams,
  body: Samples,
  response: { 200: Samples },
  responseExamples: { 200: EXAMPLE },
  errors: ['template_not_found', 'conflict', 'storage_full'],
} as const;

/**
 * Body limit of the routes that accept samples: escapes and other fields may take up as much as a body without samples.
 */
export function samplesBodyLimit({
  maxBodyBytes,
  keyBodyBudgetBytes,
}: Pick<GatewayConfig, 'maxBodyBytes' | 'keyBodyBudgetBytes'>): number {
  return Math.min(maxBodyBytes + MAX_SAMPLES_BYTES, keyBodyBudgetBytes);
}

/** /v1/templates/:id/samples */
export const sampleRoutes: FastifyPluginAsyncTypebox<{
  templates: TemplateRepository;
  config: GatewayConfig;
}> = async (app, { templates, config }) => {
  app.get('/v1/templates/:id/samples', { schema: readSchema }, async ({ caller, params }, reply) =>
    send(reply, await templates.samples(caller.account, params.id)),
  );

  const saveOptions = { schema: saveSchema, bodyLimit: samplesBodyLimit(config) };
  app.put('/v1/templates/:id/samples', saveOptions, async ({ caller, params, body }, reply) =>
    send(reply, await templates.saveSamples(caller.account, params.id, body.samples)),
  );
};

/** Sends JSON unchanged. */
function send(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}
