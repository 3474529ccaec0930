import type { TemplateSchema } from '@trifold/crds';
import { RawJson, type RequestData } from '../../request-body/raw-json.ts';
import { ChildProcessError } from '../../child-process/child-process-error.ts';
import { leastBytes, nestsTooDeep } from '../../request-body/json-size.ts';
import { DataSchema, NESTS_TOO_DEEP } from '../schema/data-schema.ts';
import { StepBudget } from '../schema/linear-patterns.ts';
import { isCheapToCompile } from '../schema/schema-cost.ts';
import {
  applySchema,
  writeData,
  type AppliedSchema,
  type DataItem,
  type DataLimits,
} from './apply-schema.ts';
import type { CheckReply, Checks, DataReply, DataRequest, ExceededLimit } from './check-messages.ts';
import type { CreatedEInvoice, CreatedEInvoices, EInvoiceRequest } from './created-e-invoices.ts';
import { createInPortions } from './e-invoice-portions.ts';
import type { SuppliedEInvoice } from './supplied-e-invoice.ts';
import type { CheckPool, CheckTurn } from './check-pool.ts';

/** Maximum number of steps that a schema's patterns may take in this process, per request: about 10 ms. */
export const LOCAL_STEPS = 500_000;
/**
 * Maximum product of data bytes and schema characters for a check in this process. The product bounds the work: every
 * list element is checked against all fields of its schema and gets all their defaults.
 */
const LOCAL_WORK = 24_000_000;

/** Uses a format, a pattern, a list and a default, so that compiling it exercises the code for all of them. */
export const WARM_UP_SCHEMA: TemplateSchema = {
  fields: [
    { name: 'text', type: 'string', format: 'email', pattern: '^[a-z]{1,9}@', default: 'a@b.example' },
    { name: 'list', type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
  ],
};

/** Accepts every object; makes a check process parse the data, which it would otherwise leave unchanged. */
export const ANY_OBJECT: TemplateSchema = { fields: [] };

/** Data of one document in a request. */
export interface CheckedItem {
  readonly data: RequestData;
  /** JSON Pointer prefix for the paths of its violations. */
  readonly pointer: string;
}

/** Data of a request and its size limits. */
export interface DataCheck {
  readonly items: readonly CheckedItem[];
  readonly limits: DataLimits;
}

/** Rules that documents' data must match. */
export interface DataRules {
  readonly schema?: TemplateSchema | undefined;
  /** The e-invoice to create from each document's data, or the one that a document's caller wrote. @default none */
  readonly eInvoice?: EInvoiceRequest | SuppliedEInvoice | undefined;
}

/** Result of a check. Only JSON text from the object store can be a non-object or be nested too deeply. */
export type DataResult =
  | Exclude<DataReply, { readonly status: 'valid' }>
  | (Extract<DataReply, { readonly status: 'valid' }> & {
      /** Each document's e-invoice, if the documents have one. */
      readonly eInvoices?: readonly CreatedEInvoice[];
    })
  | Extract<CreatedEInvoices, { readonly status: 'invoice_invalid' }>
  | ExceededLimit;

/** Returns the check for one document's data, which may have up to `maxBytes` including its schema's defaults. */
export function documentCheck(data: RequestData, maxBytes: number): DataCheck {
  return { items: [{ data, pointer: '/data' }], limits: { each: maxBytes, together: maxBytes } };
}

/** A schema as JSON. */
interface SchemaText {
  readonly text: string;
  /** Whether the schema may be compiled in this process. */
  readonly isCheap: boolean;
}

/**
 * Applies the schemas of templates to data. Small data is checked in this process, within a budget for the whole
 * request; other data is checked in a check process. Both produce the same result.
 */
export class DataChecker {
  readonly #pool: Pick<CheckPool, 'ask'>;
  readonly #newBudget: () => StepBudget;
  readonly #texts = new WeakMap<TemplateSchema, SchemaText>();

  /** `newBudget` creates a request's budget in this process. @default LOCAL_STEPS */
  constructor(pool: Pick<CheckPool, 'ask'>, newBudget = () => new StepBudget(LOCAL_STEPS)) {
    this.#pool = pool;
    this.#newBudget = newBudget;
    // The first compilation takes 40 ms longer than later ones, so it is done before the process is ready.
    void new DataSchema(WARM_UP_SCHEMA);
  }

  /**
   * Fills in defaults, validates, and writes each data object as JSON and, in a check process, each e-invoice as XML. Checks
   * an e-invoice that a caller wrote.
   * May modify the data. Rejects with a retryable ChildProcessError, or the signal's reason.
   */
  async apply({ schema, eInvoice }: DataRules, check: DataCheck, turn: CheckTurn): Promise<DataResult> {
    const applied = await this.#applySaved(schema, check, turn);
    if (!eInvoice || applied.status !== 'valid') return applied;
    if ('xml' in eInvoice) {
      const checked = await this.#ask('suppliedEInvoice', { eInvoice }, turn);
      return checked.status === 'valid' ? { ...applied, eInvoices: [{ xml: eInvoice.xml }] } : checked;
    }
    const items = applied.json.map((json, index) => ({ json, pointer: check.items[index]?.pointer ?? '' }));
    const created = await createInPortions(items, check.limits.together, async (portion) =>
      this.#ask('eInvoices', { items: portion, eInvoice }, turn),
    );
    return created.status === 'created' ? { ...applied, eInvoices: created.eInvoices } : created;
  }

  async #applySaved(
    saved: TemplateSchema | undefined,
    check: DataCheck,
    turn: CheckTurn,
  ): Promise<DataReply | ExceededLimit> {
    const values = parsedItems(check.items);
    if (!saved && values)
      return writeData(
        values.map(({ data }) => data),
        check.limits,
      );
    if (!saved && !check.items.some(hasLongIntegers)) return asHeld(check);
    const schema = saved ?? ANY_OBJECT;
    const known = this.#textOf(schema);
    if (!known) return { status: 'schema_unusable', violations: [NESTS_TOO_DEEP] };
    const local = values && isLittle(known, values) && this.#applyHere(schema, values, check.limits);
    return local || this.#ask('data', requestOf(known, check), turn);
  }

  async #ask<K extends 'data' | 'eInvoices' | 'suppliedEInvoice'>(
    kind: K,
    request: Checks[K]['request'],
    turn: CheckTurn,
  ): Promise<CheckReply<K> | ExceededLimit> {
    try {
      return await this.#pool.ask(kind, request, turn);
    } catch (error) {
      const code = error instanceof ChildProcessError ? error.code : undefined;
      if (code === 'time_limit') return { status: 'too_slow', cause: error as ChildProcessError };
      if (code === 'out_of_memory') return { status: code, cause: error as ChildProcessError };
      throw error;
    }
  }

  /** Returns undefined when the budget is too small. */
  #applyHere(
    schema: TemplateSchema,
    values: readonly DataItem[],
    limits: DataLimits,
  ): AppliedSchema | undefined {
    const budget = this.#newBudget();
    const applied = applySchema(schema, values, limits, budget);
    return budget.exhausted ? undefined : applied;
  }

  /** Returns undefined for a schema that is nested too deeply. */
  #textOf(schema: TemplateSchema): SchemaText | undefined {
    const known = this.#texts.get(schema);
    if (known) return known;
    if (nestsTooDeep(schema)) return undefined;
    const text = JSON.stringify(schema);
    const made = { text, isCheap: isCheapToCompile(schema, text) };
    this.#texts.set(schema, made);
    return made;
  }
}

/** Returns undefined if an item contains its data as JSON text. */
function parsedItems(items: readonly CheckedItem[]): DataItem[] | undefined {
  const parsed: DataItem[] = [];
  for (const { data, pointer } of items) {
    if (data instanceof RawJson) return undefined;
    parsed.push({ data, pointer });
  }
  return parsed;
}

function hasLongIntegers({ data }: CheckedItem): boolean {
  return data instanceof RawJson && data.hasLongIntegers;
}

function isLittle({ text, isCheap }: SchemaText, items: readonly DataItem[]): boolean {
  let left = isCheap ? LOCAL_WORK / text.length : 0;
  for (const { data } of items) left -= leastBytes(data, left);
  return left >= 0;
}

/** Data without a schema is left unchanged. */
function asHeld({ items, limits: { each, together } }: DataCheck): AppliedSchema {
  const json = items.map(({ data }) => jsonOf(data));
  const item = json.findIndex(({ byteLength }) => byteLength > each);
  if (item !== -1) return { status: 'too_large', item };
  const sum = json.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  return sum > together ? { status: 'too_large' } : { status: 'valid', json };
}

function requestOf({ text }: SchemaText, { items, limits }: DataCheck): DataRequest {
  return { schema: text, items: items.map(({ data, pointer }) => ({ json: jsonOf(data), pointer })), limits };
}

function jsonOf(data: RequestData): Uint8Array {
  return data instanceof RawJson ? data.json : Buffer.from(JSON.stringify(data));
}
