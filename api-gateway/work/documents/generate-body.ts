import {
  DOCUMENT_FORMATS,
  MAX_ENDPOINT_URL_LENGTH,
  StringEnum,
  type DocumentFormat,
  type GenerationJobSpec,
} from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { documentData } from '../../server/http/route-schemas.ts';
import type { EndpointUrls } from '../../webhooks/endpoint-urls.ts';
import { ApiOptions } from '../../options/api-options.ts';
import { requestAttachments } from '../admission/request-attachments.ts';
import { RequestEInvoice } from '../admission/e-invoice-field.ts';
import { RequestMetadata, validateMetadata } from '../admission/request-metadata.ts';
import { templateMembers } from '../admission/work-template.ts';
import { usableFilename } from './filename.ts';

/** Body of POST /v1/generate (interface, "Generation"). */
export const GenerateBody = Type.Object(
  {
    ...templateMembers,
    data: documentData(),
    options: Type.Optional(ApiOptions),
    async: Type.Optional(
      Type.Boolean({
        description:
          'Whether to return 202 before the document is generated. Poll the document at its `status_url`.',
      }),
    ),
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_ENDPOINT_URL_LENGTH,
        description:
          'URL that receives an unsigned notification when the document completes or fails. By default, it must use HTTPS and point to a public address.',
      }),
    ),
    filename: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'File name for the download.' }),
    ),
    format: Type.Optional(StringEnum(DOCUMENT_FORMATS, { description: 'File format. Default: pdf.' })),
    metadata: Type.Optional(RequestMetadata),
    attachments: Type.Optional(requestAttachments('the document')),
    e_invoice: Type.Optional(RequestEInvoice),
  },
  {
    title: 'GenerateRequest',
    additionalProperties: false,
    examples: [
      {
        template: {
          html: '<h1>Invoice {{number}}</h1>{{#each lines}}<p>{{description}}: {{total}}</p>{{/each}}',
        },
        data: {
          number: 'INV-2026-0042',
          lines: [{ description: 'Letterhead revision', total: '350.58' }],
        },
        options: { page_size: 'a4' },
        filename: 'INV-2026-0042.pdf',
        metadata: { order: 'A-17' },
      },
    ],
  },
);
export type GenerateBody = Static<typeof GenerateBody>;

/** The fields of a job's spec that depend only on the body, such as the document's presentation and its callback. */
export type Presentation = { readonly format: DocumentFormat } & Pick<
  GenerationJobSpec,
  'filename' | 'callbackURL' | 'clientMetadata'
>;

/** Checks everything that requires neither the account nor the template. Throws ApiError `invalid_request`. */
export function validateBody(
  { format = 'pdf', filename, webhook_url: url, metadata }: GenerateBody,
  urls: Pick<EndpointUrls, 'check'>,
): Presentation {
  return {
    format,
    ...(filename !== undefined && { filename: usableFilename(filename, format, '/filename') }),
    ...(url !== undefined && { callbackURL: urls.check(url, '/webhook_url') }),
    ...(metadata && { clientMetadata: validateMetadata(metadata, '/metadata') }),
  };
}
