import { DOCUMENT_FORMATS, MOST_BATCH_ITEMS, StringEnum, type DocumentFormat } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { ApiOptions, notSupportedYet } from '../generation/options.ts';

/** One document of a batch (interface, "Batch request item"). */
const BatchItem = Type.Object(
  { data: Type.Unsafe<Record<string, unknown>>({ type: 'object' }) },
  { additionalProperties: false },
);
export type BatchItem = Static<typeof BatchItem>;

/** Body of POST /v1/generate/batch (interface, same name); `options` are those of a single document, for every item. */
export const BatchBody = Type.Object(
  {
    template_id: Type.String({ minLength: 1, maxLength: 253 }),
    format: StringEnum(['pdf', 'png', 'html', 'docx']),
    items: Type.Array(BatchItem, { minItems: 1, maxItems: MOST_BATCH_ITEMS }),
    options: Type.Optional(ApiOptions),
  },
  { additionalProperties: false },
);
export type BatchBody = Static<typeof BatchBody>;

/** The format that is asked for. Throws ApiError `not_supported_yet` for what of the request this version cannot do. */
export function supportedFormat({ format }: BatchBody): DocumentFormat {
  const supported = DOCUMENT_FORMATS.find((candidate) => candidate === format);
  if (supported !== undefined) return supported;
  const message = `${format} is not supported yet; ${DOCUMENT_FORMATS.join(', ')} is`;
  throw notSupportedYet([{ path: '/format', message }]);
}
