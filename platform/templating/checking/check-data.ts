import type { TemplateSchema } from '@trifold/crds';
import { nestsTooDeep } from '../../request-body/json-size.ts';
import { parseLongIntegers } from '../../request-body/long-integers.ts';
import { StepBudget } from '../schema/linear-patterns.ts';
import { applySchema, type DataItem } from './apply-schema.ts';
import type { DataReply, DataRequest } from './check-messages.ts';

/** Applies a schema to data, in a check process. */
export function checkData({ schema, items, limits }: DataRequest): DataReply {
  const parsed: DataItem[] = [];
  for (const { json, pointer } of items) {
    const object = parseObject(json);
    if (!object) return { status: 'not_an_object' };
    if (nestsTooDeep(object.data)) return { status: 'nests_too_deep' };
    parsed.push({ ...object, pointer });
  }
  return applySchema(JSON.parse(schema) as TemplateSchema, parsed, limits, new StepBudget());
}

/** Returns undefined for anything other than a JSON object. */
export function parseObject(json: Uint8Array): Required<Omit<DataItem, 'pointer'>> | undefined {
  try {
    const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString();
    const { value: data, longIntegers } = parseLongIntegers(text);
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    return isObject ? { data: data as Record<string, unknown>, longIntegers } : undefined;
  } catch {
    return undefined;
  }
}
