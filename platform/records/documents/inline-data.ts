import type { GenerationJob } from '@trifold/crds';
import type { ResourceClient } from '../../kubernetes/client/client.ts';
import {
  mayHaveLongIntegers,
  parseLongIntegers,
  writeRawIntegers,
} from '../../request-body/long-integers.ts';

/**
 * Returns the data in a job's resource as JSON. The resource represents long integers as doubles; the API server keeps
 * the digits of integers below 2^63. Undefined if another job now has the name. The data must not be nested deeper than
 * DEEPEST_JSON.
 */
export async function inlineJson(
  jobs: Pick<ResourceClient<GenerationJob>, 'getText'>,
  { metadata: { namespace, name, uid }, spec }: GenerationJob,
): Promise<string | undefined> {
  const json = JSON.stringify(spec.data ?? {});
  if (!mayHaveLongIntegers(json)) return json;
  const { value, longIntegers } = parseLongIntegers(await jobs.getText(namespace, name));
  const stored = value as GenerationJob;
  if (stored.metadata.uid !== uid) return undefined;
  writeRawIntegers(longIntegers);
  return JSON.stringify(stored.spec.data ?? {});
}
