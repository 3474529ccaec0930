import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { SAMPLES_ANNOTATION, type Template } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { Type, type Static } from 'typebox';
import { ApiError } from '../server/errors/api-error.ts';
import { IdParams } from '../server/http/route-schemas.ts';
import type { TemplateRepository } from './template-repository.ts';

/** Bytes of all samples of a template as JSON: all annotations of a resource share 256 KiB. */
const MOST_BYTES = BOUNDS.samples.limit.value * 1024;

const Samples = Type.Object(
  {
    samples: Type.Array(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200, description: 'Name, unique in the template.' }),
          data: Type.Record(Type.String(), Type.Unknown(), {
            description: 'Data as in a request for a document. It is not checked against the schema.',
          }),
        },
        { additionalProperties: false, title: 'Sample' },
      ),
      { maxItems: 20, description: 'At most 128 KiB as JSON.' },
    ),
  },
  {
    additionalProperties: false,
    title: 'Samples',
    description: 'Named sample data of a template.',
    examples: [{ samples: [{ name: 'Two pages', data: { number: 'A-17', lines: [] } }] }],
  },
);
type Samples = Static<typeof Samples>;

const readSchema = {
  operationId: 'readTemplateSamples',
  summary: 'Read the sample data of a template',
  description: 'Sample data for previews and tests. Empty for a template without samples.',
  tags: ['Templates'],
  params: IdParams,
  response: { 200: Samples },
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
  errors: ['template_not_found', 'conflict'],
} as const;

/** /v1/templates/:id/samples */
export const sampleRoutes: FastifyPluginAsyncTypebox<{ templates: TemplateRepository }> = async (
  app,
  { templates },
) => {
  app.get('/v1/templates/:id/samples', { schema: readSchema }, async ({ caller, params }) =>
    samplesOf(await templates.get(caller.account, params.id)),
  );

  app.put('/v1/templates/:id/samples', { schema: saveSchema }, async ({ caller, params, body }) =>
    samplesOf(await templates.saveSamples(caller.account, params.id, checkedJson(body))),
  );
};

/** Returns the samples as JSON, or null for none. Throws ApiError for samples that cannot be kept. */
function checkedJson({ samples }: Samples): string | null {
  const names = new Set(samples.map(({ name }) => name));
  if (names.size < samples.length) throw invalidSamples('Each sample must have a name of its own.');
  const json = JSON.stringify(samples);
  const bytes = Buffer.byteLength(json);
  if (bytes > MOST_BYTES) {
    throw invalidSamples(`The samples have ${bytes} bytes as JSON; at most ${MOST_BYTES} are allowed.`);
  }
  return samples.length === 0 ? null : json;
}

function invalidSamples(message: string): ApiError {
  return new ApiError('invalid_request', message, { details: [{ path: '/samples', message }] });
}

/** kubectl can write anything into the annotation; what is not a sample does not show. */
function samplesOf({ metadata: { annotations = {} } }: Template): Samples {
  try {
    const samples: unknown = JSON.parse(annotations[SAMPLES_ANNOTATION] ?? '[]');
    return { samples: Array.isArray(samples) ? samples.filter(isSample) : [] };
  } catch {
    return { samples: [] };
  }
}

function isSample(value: unknown): value is Samples['samples'][number] {
  const { name, data } = (value ?? {}) as { name?: unknown; data?: unknown };
  return typeof name === 'string' && typeof data === 'object' && data !== null && !Array.isArray(data);
}
