import { DOCUMENT_FORMATS, LONGEST_ENDPOINT_URL, StringEnum } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import type { ErrorDetail } from '../../server/errors/api-error.ts';
import { safeFilename } from './filename.ts';
import { ApiOptions } from '../admission/options.ts';

/** Body of POST /v1/generate (interface, "Generation"). */
export const GenerateBody = Type.Object(
  {
    template_id: Type.String({ minLength: 1, maxLength: 253, description: 'Id of the template.' }),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Values of the bindings.' }),
    options: Type.Optional(ApiOptions),
    async: Type.Optional(
      Type.Boolean({ description: 'Answer 202 at once. Poll the document at its `status_url`.' }),
    ),
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LONGEST_ENDPOINT_URL,
        description: 'HTTPS URL that is notified, unsigned, when the document completes or fails.',
      }),
    ),
    filename: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'File name of the download.' }),
    ),
    format: Type.Optional(StringEnum(DOCUMENT_FORMATS, { description: 'Format of the file; default pdf.' })),
  },
  {
    title: 'GenerateRequest',
    additionalProperties: false,
    examples: [
      {
        template_id: 'tpl-01jd5yq8zj4m3v0c6k2t9x7w1b',
        data: {
          number: 'INV-2026-0042',
          lines: [{ description: 'Letterhead revision', total: '350.58' }],
        },
        options: { page_size: 'a4' },
        filename: 'INV-2026-0042.pdf',
      },
    ],
  },
);
export type GenerateBody = Static<typeof GenerateBody>;

/** Returns the problem with the file name, or undefined if the name is usable. */
export function filenameProblem({
  filename,
  format,
}: Pick<GenerateBody, 'filename' | 'format'>): ErrorDetail | undefined {
  if (filename === undefined || safeFilename(filename, format) !== undefined) return undefined;
  return { path: '/filename', message: 'has no character that a file name can have' };
}
