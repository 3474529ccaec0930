import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { IdParams } from '../server/http/route-schemas.ts';
import { SampleList, samplesAnnotation, samplesOf } from './samples.ts';
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
    'Sample data for previews and tests. Empty for a template without samples. In Kubernetes, the samples are stored in the annotation `trifold.dev/samples`.',
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
    'Replaces all samples. They are kept with the template and deleted with it. The version does not increase.',
  tags: ['Templates'],
  params: IdParams,
  body: Samples,
  response: { 200: Samples },
  responseExamples: { 200: EXAMPLE },
  errors: ['template_not_found', 'conflict'],
} as const;

/** /v1/templates/:id/samples */
export const sampleRoutes: FastifyPluginAsyncTypebox<{ templates: TemplateRepository }> = async (
  app,
  { templates },
) => {
  app.get('/v1/templates/:id/samples', { schema: readSchema }, async ({ caller, params }) => ({
    samples: samplesOf(await templates.get(caller.account, params.id)),
  }));

  app.put('/v1/templates/:id/samples', { schema: saveSchema }, async ({ caller, params, body }) => ({
    samples: samplesOf(
      await templates.saveSamples(caller.account, params.id, samplesAnnotation(body.samples)),
    ),
  }));
};
