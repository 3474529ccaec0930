import {
  DOCUMENT_FORMATS,
  MAX_BATCH_ITEMS,
  StringEnum,
  type BatchItemSpec,
  type BatchSpec,
} from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { documentData } from '../../server/http/route-schemas.ts';
import { ApiOptions } from '../../options/api-options.ts';
import type { AttachmentPacker, PackedAttachments } from '../admission/attachment-packer.ts';
import {
  readAttachments,
  requestAttachments,
  type PackedRequestAttachments,
} from '../admission/request-attachments.ts';
import { RequestMetadata, validateMetadata } from '../admission/request-metadata.ts';
import { templateMembers } from '../admission/work-template.ts';
import { usableFilename } from '../documents/filename.ts';

/** One document in a batch (interface, "Batch request item"). */
const BatchItem = Type.Object(
  {
    data: documentData(),
    filename: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'File name for the download and for the entry in the zip file. Default: the batch ID and the index.',
      }),
    ),
    metadata: Type.Optional(RequestMetadata),
    attachments: Type.Optional(requestAttachments('this document, in addition to those of the batch')),
  },
  { title: 'BatchRequestItem', description: 'One document.', additionalProperties: false },
);
/** One requested document, as in the request. */
export type BatchItem = Static<typeof BatchItem>;

const exampleData = (number: string) => ({
  number,
  lines: [{ description: 'Letterhead revision', total: '350.58' }],
});

/** Body of POST /v1/generate/batch (interface, same name). `options` apply to every item. */
export const BatchBody = Type.Object(
  {
    ...templateMembers,
    format: StringEnum(DOCUMENT_FORMATS, { description: 'Format of every document.' }),
    items: Type.Array(BatchItem, {
      minItems: 1,
      maxItems: MAX_BATCH_ITEMS,
      description: 'The documents.',
    }),
    options: Type.Optional(ApiOptions),
    metadata: Type.Optional(RequestMetadata),
    attachments: Type.Optional(requestAttachments('every document')),
  },
  {
    title: 'BatchRequest',
    additionalProperties: false,
    examples: [
      {
        template_id: 'tpl-01m7yr3vq8c5t0x2n4b6d8f0ha',
        format: 'pdf',
        items: [
          { data: exampleData('INV-2026-0042'), filename: 'INV-2026-0042.pdf', metadata: { order: 'A-17' } },
          { data: exampleData('INV-2026-0043'), filename: 'INV-2026-0043.pdf', metadata: { order: 'A-18' } },
        ],
      },
    ],
  },
);
/** A request for 1 to MAX_BATCH_ITEMS documents from one template. */
export type BatchBody = Static<typeof BatchBody>;

/** The fields of a batch's spec that depend only on the body. */
export type BatchPresentation = Pick<BatchBody, 'format'> & Pick<BatchSpec, 'items' | 'clientMetadata'>;

/** Checks everything that requires neither the account nor the template. Throws ApiError `invalid_request`. */
export function validateBatchBody({ format, items, metadata }: BatchBody): BatchPresentation {
  const specs = items.flatMap((item, index) => itemSpecOf(item, index, format) ?? []);
  return {
    format,
    ...(specs.length > 0 && { items: specs }),
    ...(metadata && { clientMetadata: validateMetadata(metadata, '/metadata') }),
  };
}

function itemSpecOf(
  { filename, metadata }: BatchItem,
  index: number,
  format: BatchBody['format'],
): BatchItemSpec | undefined {
  if (filename === undefined && !metadata) return undefined;
  const path = `/items/${index}`;
  return {
    index,
    ...(filename !== undefined && { filename: usableFilename(filename, format, `${path}/filename`) }),
    ...(metadata && { clientMetadata: validateMetadata(metadata, `${path}/metadata`) }),
  };
}

/** Reads the attachments of a batch. Rejects with ApiError `invalid_request`. */
export async function readBatchAttachments(
  packer: AttachmentPacker,
  { format, items, attachments: common }: BatchBody,
): Promise<PackedRequestAttachments> {
  const packed = await readAttachments(packer, common, { format, path: '/attachments' });
  const ofItems: (PackedAttachments | undefined)[] = [];
  for (const [index, { attachments }] of items.entries()) {
    const path = `/items/${index}/attachments`;
    ofItems.push(await readAttachments(packer, attachments, { format, path, common }));
  }
  return { common: packed, items: ofItems };
}
