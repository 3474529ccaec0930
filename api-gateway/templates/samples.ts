import { SAMPLES_ANNOTATION, type Template } from '@trifold/crds';
import { parseLongIntegers, writeRawIntegers } from '@trifold/platform/request-body/long-integers.ts';
import { RawJson, type RequestData } from '@trifold/platform/request-body/raw-json.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { Type, type Static } from 'typebox';
import { ApiError } from '../server/errors/api-error.ts';

/** Maximum total size of the data in a template's samples, as JSON, in bytes. */
export const MAX_SAMPLES_BYTES = BOUNDS.samples.limit.value * 1024;
/** Maximum size of one sample's data, as JSON, in bytes. */
const MAX_SAMPLE_BYTES = MAX_SAMPLES_BYTES / 2;

/** Named sample data for a template. */
export const SampleList = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, description: 'Name, unique within the template.' }),
      data: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Data as in a document request, at most 1 MiB of JSON. It is not checked against the schema.',
      }),
    },
    { additionalProperties: false, title: 'Sample' },
  ),
  { maxItems: 20, description: 'At most 2 MiB of JSON.' },
);
/** In a large body, each `data` is RawJson. */
export type SampleList = Static<typeof SampleList>;

/** Samples as stored in the object store and returned by reads. */
export interface SamplesJson {
  /** `{"samples":[…]}` in UTF-8. */
  readonly body: Buffer;
  /** Start and end offset of the first sample's data, or undefined if there are no samples. */
  readonly first: readonly [number, number] | undefined;
}

const START = Buffer.from('{"samples":[');
const END = Buffer.from(']}');
export const NO_SAMPLES: Buffer = Buffer.concat([START, END]);

/**
 * Writes samples as JSON, without parsing the data of a large body. Throws ApiError for samples that cannot be stored.
 */
export function samplesJson(samples: SampleList): SamplesJson {
  const names = new Set(samples.map(({ name }) => name));
  if (names.size < samples.length) throw invalidSamples('Each sample must have a different name.');
  let first: SamplesJson['first'];
  let bytes = 0;
  const pieces = samples.flatMap(({ name, data }, index) => {
    const json = jsonOf(data);
    if (json.byteLength > MAX_SAMPLE_BYTES) {
      const message = `The sample is ${json.byteLength} bytes of JSON; the limit is ${MAX_SAMPLE_BYTES}.`;
      throw invalidSamples(message, `/samples/${index}`);
    }
    bytes += json.byteLength;
    const head = Buffer.from(`${index === 0 ? '' : ','}{"name":${JSON.stringify(name)},"data":`);
    first ??= [START.length + head.length, START.length + head.length + json.byteLength];
    return [head, json, Buffer.from('}')];
  });
  if (bytes > MAX_SAMPLES_BYTES) {
    throw invalidSamples(`The samples total ${bytes} bytes of JSON; the limit is ${MAX_SAMPLES_BYTES}.`);
  }
  return { body: Buffer.concat([START, ...pieces, END]), first };
}

function jsonOf(data: RequestData): Uint8Array {
  return data instanceof RawJson ? data.json : Buffer.from(JSON.stringify(data));
}

function invalidSamples(message: string, path = '/samples'): ApiError {
  return new ApiError('invalid_request', message, { details: [{ path, message }] });
}

/**
 * Returns the valid samples in the annotation, or undefined if the template lacks it. Long integers in samples are
 * readable only by `JSON.stringify`.
 */
export function annotatedSamples({ metadata: { annotations = {} } }: Template): SampleList | undefined {
  const text = annotations[SAMPLES_ANNOTATION];
  if (text === undefined) return undefined;
  try {
    const { value: samples, longIntegers } = parseLongIntegers(text);
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
