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
    title: 'Samples',
    description: 'Named sample data of a template.',
    examples: [EXAMPLE],
  },
);

const readSchema = {
  operationId: 'readTemplateSamples',
  summary: 'Read the sample data of a template',
  description:
    'Sample data for previews and tests. Empty for a template without samples. In Kubernetes, the annotation `trifold.dev/samples-ref` has the key, the SHA-256 and the size of the samples in the object store. Samples in the annotation `trifold.dev/samples`, which you can write with kubectl, replace them until the next save.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: Samples },
  responseExamples: { 200: EXAMPLE },
  errors: ['template_not_found'],
} as const;

const saveSchema = {
  operationId: 'saveTemplateSamples',
  summary: 'Save the sample data of a template',
  description:
    'Replaces all samples. They are kept with the template and deleted with it. The version does not increase. The body may have 2 MiB in addition to the usual limit.',
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
