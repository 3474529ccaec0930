import { SAMPLES_ANNOTATION, type Template } from '@trifold/crds';
import { parseLongIntegers, writeRawIntegers } from '@trifold/platform/request-body/long-integers.ts';
import { RawJson } from '@trifold/platform/request-body/raw-json.ts';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { Type, type Static } from 'typebox';
import { ApiError } from '../server/errors/api-error.ts';

/** Bytes of all samples of a template as JSON: all annotations of a resource share 256 KiB. */
const MOST_BYTES = BOUNDS.samples.limit.value * 1024;

/** Named sample data of a template. */
export const SampleList = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, description: 'Name, unique within the template.' }),
      data: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Data as in a request for a document. It is not checked against the schema.',
      }),
    },
    { additionalProperties: false, title: 'Sample' },
  ),
  { maxItems: 20, description: 'At most 128 KiB of JSON.' },
);
export type SampleList = Static<typeof SampleList>;

/** Returns the value of the annotation, or null for no samples. Throws ApiError for samples that cannot be kept. */
export function samplesAnnotation(samples: SampleList): string | null {
  const names = new Set(samples.map(({ name }) => name));
  if (names.size < samples.length) throw invalidSamples('Each sample must have a different name.');
  const json = `[${samples.map(jsonOf).join(',')}]`;
  const bytes = Buffer.byteLength(json);
  if (bytes > MOST_BYTES) {
    throw invalidSamples(`The samples have ${bytes} bytes of JSON; the limit is ${MOST_BYTES}.`);
  }
  return samples.length === 0 ? null : json;
}

function jsonOf({ name, data }: SampleList[number]): string {
  const json = data instanceof RawJson ? Buffer.from(data.json).toString() : JSON.stringify(data);
  return `{"name":${JSON.stringify(name)},"data":${json}}`;
}

function invalidSamples(message: string): ApiError {
  return new ApiError('invalid_request', message, { details: [{ path: '/samples', message }] });
}

/**
 * kubectl can write anything into the annotation; what is not a sample does not show. Long integers are values that only
 * JSON.stringify can read.
 */
export function samplesOf({ metadata: { annotations = {} } }: Template): SampleList {
  try {
    const { value: samples, longIntegers } = parseLongIntegers(annotations[SAMPLES_ANNOTATION] ?? '[]');
    writeRawIntegers(longIntegers);
    return Array.isArray(samples) ? samples.filter(isSample) : [];
  } catch {
    return [];
  }
}

function isSample(value: unknown): value is SampleList[number] {
  const { name, data } = (value ?? {}) as { name?: unknown; data?: unknown };
  return typeof name === 'string' && typeof data === 'object' && data !== null && !Array.isArray(data);
}
