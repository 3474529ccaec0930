import type { TemplateSchema } from '@trifold/crds';
import { hasMoreBytes } from '../../request-body/json-size.ts';
import { writeDigitStrings, type LongInteger } from '../../request-body/long-integers.ts';
import { DataSchema, DataSchemaError, MAX_VIOLATIONS, type Violation } from '../schema/data-schema.ts';
import type { StepBudget } from '../schema/linear-patterns.ts';

/** Maximum size of the data as JSON, in bytes, including schema defaults. */
export interface DataLimits {
  /** Maximum for one document. */
  readonly each: number;
  /** Maximum for all documents in a request together. */
  readonly together: number;
}

/** One document's data in a request. */
export interface DataItem {
  readonly data: Record<string, unknown>;
  /** Integers in the data that become strings once it is valid. @default none */
  readonly longIntegers?: readonly LongInteger[];
  /** JSON Pointer prefix for the paths of its violations. */
  readonly pointer: string;
}

/** Result of applying a schema to a request's data. */
export type AppliedSchema =
  | {
      readonly status: 'valid';
      /** Each document's data as JSON text, with the schema's defaults. */
      readonly json: readonly Uint8Array[];
    }
  /** At least one violation; at most MAX_VIOLATIONS for all items together. */
  | { readonly status: 'invalid'; readonly violations: readonly Violation[] }
  /** Index of the item that is too large; omitted if only the total is too large. */
  | { readonly status: 'too_large'; readonly item?: number }
  /** The schema itself is invalid; paths are below `/schema`. */
  | { readonly status: 'schema_unusable'; readonly violations: readonly Violation[] };

/**
 * Applies a schema to the data of one request: fills in defaults, validates, and writes each data object as JSON.
 * Modifies the data. The budget covers the whole request; when it is exhausted, the last violation says so.
 */
export function applySchema(
  schema: TemplateSchema,
  items: readonly DataItem[],
  limits: DataLimits,
  budget: StepBudget,
): AppliedSchema {
  try {
    return applyCompiled(new DataSchema(schema), items, limits, budget);
  } catch (error) {
    if (!(error instanceof DataSchemaError)) throw error;
    return { status: 'schema_unusable', violations: error.violations };
  }
}

/**
 * Writes data as JSON unless it exceeds its limits: a default filled into every list element can make small data large.
 */
export function writeData(
  items: readonly Readonly<Record<string, unknown>>[],
  { each, together }: DataLimits,
): AppliedSchema {
  const json: Buffer[] = [];
  let left = together;
  for (const [item, data] of items.entries()) {
    const text = hasMoreBytes(data, each) ? undefined : Buffer.from(JSON.stringify(data));
    if (!text || text.byteLength > each) return { status: 'too_large', item };
    left -= text.byteLength;
    if (left < 0) return { status: 'too_large' };
    json.push(text);
  }
  return { status: 'valid', json };
}

function applyCompiled(
  schema: DataSchema,
  items: readonly DataItem[],
  limits: DataLimits,
  budget: StepBudget,
): AppliedSchema {
  const violations: Violation[] = [];
  for (const [item, { data, pointer }] of items.entries()) {
    if (hasMoreBytes(data, limits.each)) return { status: 'too_large', item };
    violations.push(...schema.apply(data, pointer, budget));
    if (budget.exhausted || violations.length >= MAX_VIOLATIONS) break;
  }
  if (violations.length > 0) return { status: 'invalid', violations: violations.slice(0, MAX_VIOLATIONS) };
  for (const { longIntegers = [] } of items) writeDigitStrings(longIntegers);
  return writeData(
    items.map(({ data }) => data),
    limits,
  );
}
