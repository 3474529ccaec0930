import type { TemplateSchema } from '@trifold/crds';
import { nestsTooDeep } from '../../request-body/json-size.ts';
import { StepBudget } from '../schema/linear-patterns.ts';
import { applySchema, type DataItem } from './apply-schema.ts';
import type { DataReply, DataRequest } from './check-messages.ts';

/** Applies a schema to data, in a check process. */
export function answerData({ schema, items, limits }: DataRequest): DataReply {
  const parsed: DataItem[] = [];
  for (const { json, pointer } of items) {
    const data = parseObject(json);
    if (!data) return { status: 'not_an_object' };
    if (nestsTooDeep(data)) return { status: 'nests_too_deep' };
    parsed.push({ data, pointer });
  }
  return applySchema(JSON.parse(schema) as TemplateSchema, parsed, limits, new StepBudget());
}

/** Returns undefined for anything but a JSON object. */
export function parseObject(json: Uint8Array): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString());
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    return isObject ? (data as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
