import type { TemplateSchema } from '@trifold/crds';
import { DataSchema, DataSchemaError } from '../schema/data-schema.ts';
import { findDefaultProblems } from '../schema/schema-defaults.ts';
import type { SchemaProblem } from './check-messages.ts';

/** Compiles a schema and checks its defaults. Returns undefined when it is valid. */
export function findSchemaProblem(schema: TemplateSchema): SchemaProblem | undefined {
  try {
    void new DataSchema(schema);
  } catch (error) {
    return { violations: violationsOf(error), defaultsOnly: false };
  }
  const violations = findDefaultProblems(schema);
  return violations.length === 0 ? undefined : { violations, defaultsOnly: true };
}

function violationsOf(error: unknown): SchemaProblem['violations'] {
  if (error instanceof DataSchemaError) return error.violations;
  return [{ path: '/schema', message: (error as Error).message }];
}
