import { DEEPEST_JSON, DEEPEST_SCHEMA, MAX_SCHEMA_FIELDS } from '@trifold/crds/limits.ts';
import type { FieldDefinition, TemplateSchema } from '@trifold/crds';
import { Ajv, _, Name, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { BOUNDS } from '../../bounds/bounds.ts';
import { TrifoldError } from '../../errors/trifold-error.ts';
import { escapePointer } from './json-pointer.ts';
import { counted } from './counted.ts';
import { LinearPatterns, StepBudget } from './linear-patterns.ts';

/** One error in data or in a schema. */
export interface Violation {
  /** JSON Pointer (RFC 6901); for a missing field, it points to that field. */
  readonly path: string;
  readonly message: string;
}

/** An invalid data schema: a pattern that does not compile, an unknown type, or nesting that is too deep. */
export class DataSchemaError extends TrifoldError<'schema_invalid'> {
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    super('schema_invalid', violations.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.violations = violations;
  }
}

/** Only needed for a resource's schema: `/v1` rejects bodies that are nested this deeply. */
export const NESTS_TOO_DEEP: Violation = {
  path: '/schema',
  message: `is nested deeper than ${DEEPEST_JSON} levels`,
};
/** Maximum number of violations reported for one request. */
export const MAX_VIOLATIONS = 100;
const KEYWORD = 'errorLimit';

/** ajv's names in the generated functions for the number of errors and their list. */
const ERRORS = new Name('errors');
const ERROR_LIST = new Name('vErrors');
/** Names that give access to prototypes; the API rejects data with fields of these names. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** Names that every object inherits: a default for such a name would never be filled in. */
const INHERITED_NAMES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
const JSON_SCHEMA_FORMATS = { email: 'email', url: 'http-url', date: 'date' } as const;

type JsonSchema = Record<string, unknown>;
type Field = Omit<FieldDefinition, 'name'>;

interface Compiled {
  readonly validate: ValidateFunction;
  readonly patterns: LinearPatterns;
  /** Number of fields, including nested ones. */
  readonly fields: number;
}

/** Properties of a schema before it is compiled. */
interface Findings {
  readonly problems: Violation[];
  readonly patterns: LinearPatterns;
}

/**
 * Memory of a compiled schema without its patterns, in bytes: a base amount, and more for each field and each
 * character.
 */
const COMPILED_BYTES = 16 * 1024;
const BYTES_PER_FIELD = 4 * 1024;
const BYTES_PER_CHARACTER = 8;

/** Compiled schemas by their text: the gateway and the controller compile the same schema for each version or job. */
const compiledSchemas = new LRUCache<string, Compiled>({
  maxSize: BOUNDS.compiledSchemas.limit.value,
  sizeCalculation: ({ fields, patterns }, text) =>
    COMPILED_BYTES + BYTES_PER_FIELD * fields + BYTES_PER_CHARACTER * text.length + patterns.memoryBytes,
});

/** A template's compiled data schema (interface, "Template schema"). */
export class DataSchema {
  readonly #compiled: Compiled | undefined;

  /** Throws DataSchemaError, with paths below `/schema`. */
  constructor(schema: TemplateSchema | undefined) {
    if (!schema) return;
    const text = JSON.stringify(schema);
    this.#compiled = compiledSchemas.get(text) ?? compile(schema);
    compiledSchemas.set(text, this.#compiled);
  }

  /**
   * Fills in defaults and validates. Modifies `data`: pass a copy if you still need the original. Applying the schema
   * again does not change the data.
   * Returns every violation, at most 100, with paths below `pointer`; empty when the data is valid. When the budget is
   * exhausted, the only violation says so.
   */
  apply(data: Record<string, unknown>, pointer = '/data', budget = new StepBudget()): Violation[] {
    if (!this.#compiled) return [];
    const { validate, patterns } = this.#compiled;
    patterns.charge(budget);
    if (validate(data)) return [];
    if (budget.exhausted) {
      const message =
        'has strings that are too long for the patterns in the schema: shorten them, or simplify the patterns';
      return [{ path: pointer, message }];
    }
    const errors = validate.errors ?? [];
    return errors.slice(0, MAX_VIOLATIONS).map((error) => violationOf(error, pointer));
  }
}

function compile(schema: TemplateSchema): Compiled {
  const problems: Violation[] = [];
  const patterns = new LinearPatterns();
  const names = new Set<string>();
  for (const [index, field] of schema.fields.entries()) {
    const path = `/schema/fields/${index}`;
    if (names.has(field.name))
      problems.push({ path: `${path}/name`, message: 'is the name of an earlier field' });
    names.add(field.name);
    checkName(field.name, field, path, problems);
    checkField(field, path, { problems, patterns });
  }
  const fields = allFields(schema.fields).length;
  if (fields > MAX_SCHEMA_FIELDS) {
    problems.push({
      path: '/schema',
      message: `has more than ${MAX_SCHEMA_FIELDS} fields, including nested ones`,
    });
  }
  if (problems.length > 0) throw new DataSchemaError(problems);
  const root = objectSchema(schema.fields.map((field) => [field.name, field] as const));
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    strict: false,
    ownProperties: true,
    code: { regExp: patterns.engine },
  });
  addFormats.default(ajv, ['email', 'date']);
  ajv.addFormat('http-url', isHttpUrl);
  addErrorLimit(ajv);
  try {
    return { validate: ajv.compile(root), patterns, fields };
  } catch (error) {
    // Only a schema applied with kubectl gets here: the CRD's schema does not check nested fields.
    throw new DataSchemaError([{ path: '/schema', message: (error as Error).message }]);
  }
}

/** Type that each property of a field applies to (interface, "Template schema"). */
const TYPE_OF_MEMBER: Readonly<Record<string, Field['type']>> = {
  format: 'string',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  min: 'number',
  max: 'number',
  integer: 'number',
  minItems: 'array',
  maxItems: 'array',
  items: 'array',
  properties: 'object',
};

const CHECKS: ((field: Field) => string | undefined)[] = [
  (field) => outOfOrder('minLength', field.minLength, 'maxLength', field.maxLength),
  (field) => outOfOrder('min', field.min, 'max', field.max),
  (field) => outOfOrder('minItems', field.minItems, 'maxItems', field.maxItems),
];

function checkName(name: string, field: unknown, path: string, problems: Violation[]): void {
  if (FORBIDDEN_NAMES.has(name)) {
    problems.push({ path, message: `must not be named ${name}` });
  } else if (INHERITED_NAMES.has(name) && isObject(field) && field['default'] !== undefined) {
    problems.push({ path, message: `cannot have a default: every object has a property ${name}` });
  }
}

/** Returns every field of a schema, including nested ones, down to slightly more than the maximum nesting. */
export function allFields(fields: readonly unknown[], depth = 0): unknown[] {
  if (depth > DEEPEST_SCHEMA + 1) return [];
  return fields.flatMap((field) => {
    if (!isObject(field)) return [field];
    const nested = nestedFields(field as Field).map(([, inner]) => inner);
    return [field, ...allFields(nested, depth + 1)];
  });
}

function checkField(field: Field, path: string, findings: Findings, depth = 0): void {
  const { problems } = findings;
  if (depth > DEEPEST_SCHEMA) {
    problems.push({ path, message: `is nested deeper than ${DEEPEST_SCHEMA} levels` });
    return;
  }
  if (!isTypeAllowed(field.type, depth)) {
    problems.push({ path: `${path}/type`, message: 'must be string, number, boolean, array or object' });
  }
  checkMembers(field, path, problems);
  for (const check of CHECKS) {
    const message = check(field);
    if (message) problems.push({ path, message });
  }
  checkPattern(field, path, findings);
  for (const [name, nested] of Object.entries(field.properties ?? {})) {
    checkName(name, nested, `${path}/properties/${escapePointer(name)}`, problems);
  }
  for (const [member, nested] of nestedFields(field)) {
    checkNested(nested, `${path}/${member}`, findings, depth + 1);
  }
}

function checkPattern({ pattern }: Field, path: string, { problems, patterns }: Findings): void {
  const message = pattern === undefined ? undefined : patterns.problemOf(pattern);
  if (message !== undefined) problems.push({ path: `${path}/pattern`, message });
}

/** A property for another type would have no effect, contrary to its author's intent. */
function checkMembers(field: Field, path: string, problems: Violation[]): void {
  if (field.type === undefined) return;
  for (const member of Object.keys(field)) {
    const type = TYPE_OF_MEMBER[member];
    if (type === undefined || type === field.type) continue;
    const message = `requires the type ${type}, but this field has the type ${field.type}`;
    problems.push({ path: `${path}/${member}`, message });
  }
}

function checkNested(nested: unknown, path: string, findings: Findings, depth: number): void {
  if (isObject(nested)) checkField(nested as Field, path, findings, depth);
  else findings.problems.push({ path, message: 'must be an object: a nested schema' });
}

function nestedFields(field: Field): [string, unknown][] {
  const properties = Object.entries(field.properties ?? {}).map(
    ([name, nested]) => [`properties/${escapePointer(name)}`, nested] as [string, unknown],
  );
  return field.items === undefined ? properties : [['items', field.items], ...properties];
}

/** A nested schema may omit its type. */
function isTypeAllowed(type: unknown, depth: number): boolean {
  return (
    (type === undefined && depth > 0) ||
    ['string', 'number', 'boolean', 'array', 'object'].includes(type as string)
  );
}

function outOfOrder(
  low: string,
  least: number | undefined,
  high: string,
  most: number | undefined,
): string | undefined {
  return least !== undefined && most !== undefined && least > most ? `has ${low} above ${high}` : undefined;
}

function objectSchema(fields: (readonly [string, Field])[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
    required: fields.filter(([, field]) => field.required === true).map(([name]) => name),
  };
}

function fieldSchema(field: Field, depth = 0): JsonSchema {
  if (depth > DEEPEST_SCHEMA || !isObject(field)) return {};
  return definedOnly({
    ...(isObject(field.properties) && {
      ...objectSchema(
        Object.entries(field.properties).map(([name, nested]) => [name, nested as Field] as const),
      ),
      type: undefined,
    }),
    type: field.type === 'number' && field.integer === true ? 'integer' : field.type,
    default: field.default,
    format: field.format && JSON_SCHEMA_FORMATS[field.format],
    minLength: field.minLength,
    maxLength: field.maxLength,
    pattern: field.pattern,
    minimum: field.min,
    maximum: field.max,
    minItems: field.minItems,
    maxItems: field.maxItems,
    items: isObject(field.items)
      ? { ...fieldSchema(field.items as Field, depth + 1), ...errorLimit(MAX_VIOLATIONS) }
      : undefined,
  });
}

const FORMATS_IN_WORDS: Readonly<Record<string, string>> = {
  email: 'an email address',
  'http-url': 'an absolute http or https URL',
  date: 'a date (YYYY-MM-DD)',
};

const MESSAGES: Record<string, (parameters: Record<string, unknown>) => string> = {
  required: () => 'is required',
  type: ({ type }) =>
    `must be ${type === 'array' || type === 'object' || type === 'integer' ? 'an' : 'a'} ${String(type)}`,
  format: ({ format }) => `must be ${FORMATS_IN_WORDS[String(format)]}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
};

function violationOf(error: ErrorObject, pointer: string): Violation {
  const parameters = error.params as Record<string, unknown>;
  const missing =
    error.keyword === 'required' ? `/${escapePointer(String(parameters['missingProperty']))}` : '';
  const message = MESSAGES[error.keyword]?.(parameters) ?? error.message ?? 'is not allowed here';
  return { path: `${pointer}${error.instancePath}${missing}`, message };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function definedOnly(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

/** The host follows two slashes. No other scheme is allowed, because a link would act on it. */
const BEGINNING = /^https?:\/\/[^/\\?#]/i;
/** The URL parser would skip or encode these. */
const BLANK = /[\s\p{Cc}]/u;

/**
 * Whether a string is an absolute http or https URL with a host, as browsers parse it (WHATWG URL); host and path may
 * be international. For links: `javascript:` and similar schemes are rejected.
 */
function isHttpUrl(text: string): boolean {
  return BEGINNING.test(text) && !BLANK.test(text) && URL.canParse(text);
}

/**
 * Adds the keyword `errorLimit`. When validation reaches the keyword after that many errors, it ends with the errors
 * found so far. In the schema of an array's items, it bounds the errors that ajv collects with `allErrors`, which has
 * no limit: a million invalid items cause a million errors.
 */
function addErrorLimit(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: KEYWORD,
    schemaType: 'number',
    code({ gen, it, schema }) {
      gen.if(_`${ERRORS} >= ${schema}`, () =>
        gen.assign(_`${it.validateName}.errors`, ERROR_LIST).return(false),
      );
    },
  });
}

/** Returns the keyword, to be spread into a schema. */
function errorLimit(most: number): Record<string, unknown> {
  return { [KEYWORD]: most };
}
