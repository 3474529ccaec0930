import type { FastifyRequest } from 'fastify';

/** A member of a map, such as `metadata[order]`. */
const MEMBER = /^([a-z_]+)\[(.+)\]$/s;

/**
 * Hook for `preValidation`: parameters such as `metadata[order]=A-17` become members of an object, as `deepObject` of
 * OpenAPI says. A repeated parameter is an array, which no schema accepts.
 */
export async function readMapParameters(request: FastifyRequest): Promise<void> {
  const given = request.query as Record<string, unknown>;
  const query = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(given)) {
    const [, name = key, member] = MEMBER.exec(key) ?? [];
    // A name that is also a plain parameter stays as it is, so that the schema rejects it.
    if (member === undefined || Object.hasOwn(given, name)) query[key] = value;
    else query[name] = Object.assign((query[name] as object) ?? Object.create(null), { [member]: value });
  }
  request.query = query;
}
