import { Ajv, type Options } from 'ajv';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { toJsonSchema } from '@trifold/crds';
import type { TSchema } from 'typebox';
import { NestedField } from '../templates/template-body.ts';

/** Nothing is mended: what a body holds is taken as it is or refused. `verbose` gives errors their schema. */
const STRICT: Options = {
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  strict: false,
  verbose: true,
};

/** Query parameters arrive as text; their types come from the schema. */
const FROM_TEXT: Options = { ...STRICT, coerceTypes: true, useDefaults: true };

/** Validates requests against the schemas beside the routes. */
export const requestValidation = fastifyPlugin(
  async (app: FastifyInstance) => {
    const strict = new Ajv(STRICT).addSchema(toJsonSchema(NestedField));
    const fromText = new Ajv(FROM_TEXT);
    const compiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
      (httpPart === 'body' ? strict : fromText).compile(toJsonSchema(schema));
    app.setValidatorCompiler(compiler);
  },
  { name: 'request-validation' },
);
