import { MAX_METADATA_NAME_LENGTH, MAX_METADATA_FIELDS, MAX_METADATA_SIZE, StringEnum } from '@trifold/crds';
import type { AcceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { WORK_STATES, type WorkState } from '@trifold/platform/records/documents/finished-document.ts';
import { Type, type Static } from 'typebox';
import { nameMatcher, nameQuery, pageQuery } from '../../server/pagination/page.ts';
import type { FastifyRequest } from 'fastify';

/** The parts of a document or batch that lists need. */
export interface ListedWork extends Pick<
  AcceptedDocument,
  'id' | 'template' | 'filename' | 'metadata' | 'createdAt' | 'expiresAt'
> {
  readonly status: WorkState;
  /** Whether a client deleted the document or batch. */
  readonly isDeleted?: boolean;
}

/** Query of GET /v1/generate and GET /v1/generate/batch. */
export const WorkQuery = Type.Object(
  {
    ...pageQuery,
    status: Type.Optional(StringEnum(WORK_STATES, { description: 'Only entries with this status.' })),
    template_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 253, description: 'Only entries for this template.' }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        minProperties: 1,
        maxProperties: MAX_METADATA_FIELDS,
        propertyNames: { maxLength: MAX_METADATA_NAME_LENGTH },
        additionalProperties: { type: 'string', maxLength: MAX_METADATA_SIZE },
        description:
          'Only entries whose metadata has these fields with exactly these values, such as `metadata[order]=A-17`.',
      }),
    ),
    ...nameQuery(
      'Only entries whose file name or current template name contains this string, or whose ID is this string',
    ),
  },
  { additionalProperties: false },
);
export type WorkQuery = Static<typeof WorkQuery>;

/** Returns whether work matches the filters. `templateNames`: current names of the templates by ID; read for `q`. */
export function workFilter(
  { status, template_id, metadata = {}, q }: Omit<WorkQuery, 'limit' | 'cursor'>,
  templateNames: ReadonlyMap<string, string>,
): (work: ListedWork) => boolean {
  const members = Object.entries(metadata);
  const hasName = nameMatcher(q);
  const id = q?.toLowerCase();
  return (work) =>
    (status === undefined || work.status === status) &&
    (template_id === undefined || work.template === template_id) &&
    members.every(([name, value]) => work.metadata?.[name] === value) &&
    (work.id === id || hasName(work.filename, templateNames.get(work.template ?? '')));
}

/** A map entry, such as `metadata[order]`. */
const MEMBER = /^([a-z_]+)\[(.+)\]$/s;

/**
 * Hook for `preValidation`: parameters such as `metadata[order]=A-17` become properties of an object, as in OpenAPI's
 * `deepObject` style. A repeated parameter is an array, which no schema accepts.
 */
export async function readMapParameters(request: FastifyRequest): Promise<void> {
  const given = request.query as Record<string, unknown>;
  const query = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(given)) {
    const [, name = key, member] = MEMBER.exec(key) ?? [];
    // A name that is also a plain parameter is left unchanged, so that the schema rejects it.
    if (member === undefined || Object.hasOwn(given, name)) query[key] = value;
    else query[name] = Object.assign((query[name] as object) ?? Object.create(null), { [member]: value });
  }
  request.query = query;
}
