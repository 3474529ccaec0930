import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { isDateTime, toJsonSchema } from '@trifold/crds';
import { hasMoreValues } from '@trifold/platform/request-body/json-size.ts';
import type { TSchema } from 'typebox';
import { defaultBodyOf } from '../body/json-bodies.ts';
import { NestedField } from './nested-field.ts';

/** Never coerces a body: it is accepted unchanged or rejected. `verbose` adds the schema to errors. */
const STRICT: Options = {
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  strict: false,
  verbose: true,
};

/**
 * For bodies with more values, only the first error is reported: ajv either stops at the first error or collects all of
 * them, and a two-megabyte body could have a million.
 */
const MAX_VALUES = 10_000;

/** Query parameters arrive as strings; their types come from the schema. */
const FROM_TEXT: Options = { ...STRICT, coerceTypes: true, useDefaults: true };

/** Body that a route without a body schema accepts. */
const EMPTY_OBJECT = { type: 'object', properties: {}, additionalProperties: false };

/** Validates requests against the schemas of the routes. A route without a body schema accepts no fields. */
export const requestValidation = fastifyPlugin(
  async (app: FastifyInstance) => {
    const strict = bodyValidator(STRICT);
    const firstError = bodyValidator({ ...STRICT, allErrors: false });
    const fromText = new Ajv(FROM_TEXT);
    const compiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
      httpPart === 'body'
        ? boundedly(firstError.compile(toJsonSchema(schema)), strict.compile(toJsonSchema(schema)))
        : withPlainIntegers(fromText.compile(toJsonSchema(schema)), toJsonSchema(schema));
    app.setValidatorCompiler(compiler);
    const isEmpty = boundedly(firstError.compile(EMPTY_OBJECT), strict.compile(EMPTY_OBJECT));
    app.addHook('preValidation', async (request) => {
      const { schema } = request.routeOptions;
      if (request.body === undefined) request.body = defaultBodyOf(schema);
      const { body } = request;
      if (body === undefined || schema?.body !== undefined || isEmpty(body)) return;
      throw Object.assign(new Error('the body must be empty'), { validation: isEmpty.errors });
    });
  },
  { name: 'request-validation' },
);

function bodyValidator(options: Options): Ajv {
  return new Ajv(options).addSchema(toJsonSchema(NestedField)).addFormat('date-time', isTime);
}

/** Whether the string is an RFC 3339 time that Date can represent, with an offset of less than 24 hours. */
function isTime(text: string): boolean {
  return isDateTime(text) && !Number.isNaN(Date.parse(text));
}

/** Finds every error in a small body, but only the first in a larger one. */
function boundedly(findFirst: ValidateFunction, findAll: ValidateFunction): ValidateFunction {
  const checked = (body: unknown) => {
    if (findFirst(body)) return true;
    const validate = hasMoreValues(body, MAX_VALUES) ? findFirst : findAll;
    if (validate === findAll) findAll(body);
    checked.errors = validate.errors;
    return false;
  };
  checked.errors = undefined as ValidateFunction['errors'];
  return checked as ValidateFunction;
}

/**
 * Whole numbers in decimal digits. A sign is allowed, so that the error for a number below the minimum names the
 * bounds.
 */
const PLAIN_INTEGER = /^-?(0|[1-9][0-9]*)$/;

/** Rejects other strings that convert to a number, such as `1e1`, `0x5`, `01` or an empty string. */
function withPlainIntegers(validate: ValidateFunction, schema: Record<string, unknown>): ValidateFunction {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, { type?: string }>);
  const integers = properties.filter(([, { type }]) => type === 'integer').map(([name]) => name);
  const checked = (values: Record<string, unknown>) => {
    const wrong = integers.filter((name) => !isPlain(values[name]));
    checked.errors = wrong.length > 0 ? wrong.map(notAnInteger) : undefined;
    if (wrong.length > 0) return false;
    const isValid = validate(values);
    checked.errors = validate.errors;
    return isValid;
  };
  checked.errors = undefined as ValidateFunction['errors'];
  return checked as ValidateFunction;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'string' || PLAIN_INTEGER.test(value);
}

function notAnInteger(name: string): ErrorObject {
  return {
    instancePath: `/${name}`,
    schemaPath: `#/properties/${name}/pattern`,
    keyword: 'pattern',
    params: {},
    message: 'must be a whole number in plain decimal digits',
  };
}
