import type { FastifySchema } from 'fastify';

/** Returns the body that a request without one has: the `default` of the route's body schema, if there is one. */
export function defaultBodyOf(schema: FastifySchema | undefined): unknown {
  const { default: byDefault } = (schema?.body ?? {}) as { readonly default?: unknown };
  return structuredClone(byDefault);
}

/** Whether a request without a body is invalid. */
export function requiresBody(schema: FastifySchema | undefined): boolean {
  return schema?.body !== undefined && defaultBodyOf(schema) === undefined;
}
