import { DOCUMENT_FORMATS, MOST_BATCH_ITEMS, StringEnum } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { ApiOptions } from '../admission/options.ts';

/** One document of a batch (interface, "Batch request item"). */
const BatchItem = Type.Object(
  { data: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Values of the bindings.' }) },
  { title: 'BatchRequestItem', description: 'One document.', additionalProperties: false },
);
/** One requested document: its data, as in the request. */
export type BatchItem = Static<typeof BatchItem>;

/** Body of POST /v1/generate/batch (interface, same name). `options` apply to every item. */
export const BatchBody = Type.Object(
  {
    template_id: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Id of the template of all items.',
    }),
    format: StringEnum(DOCUMENT_FORMATS, { description: 'Format of every document.' }),
    items: Type.Array(BatchItem, {
      minItems: 1,
      maxItems: MOST_BATCH_ITEMS,
      description: '1 to 100 documents.',
    }),
    options: Type.Optional(ApiOptions),
  },
  {
    title: 'BatchRequest',
    additionalProperties: false,
    examples: [
      {
        template_id: 'tpl-01jd5yq8zj4m3v0c6k2t9x7w1b',
        format: 'pdf',
        items: [{ data: { number: 'INV-2026-0042' } }, { data: { number: 'INV-2026-0043' } }],
      },
    ],
  },
);
/** A request for 1 to MOST_BATCH_ITEMS documents from one template. */
export type BatchBody = Static<typeof BatchBody>;
