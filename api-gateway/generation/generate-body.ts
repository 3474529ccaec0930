import { StringEnum } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import type { ErrorDetail } from '../errors/api-error.ts';
import { safeFilename } from './filename.ts';
import { ApiOptions, unsupportedOptions } from './options.ts';

/** Body of POST /v1/generate (interface, "Generation"). */
export const GenerateBody = Type.Object(
  {
    template_id: Type.String({ minLength: 1, maxLength: 253 }),
    data: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    options: Type.Optional(ApiOptions),
    async: Type.Optional(Type.Boolean()),
    webhook_url: Type.Optional(Type.String()),
    filename: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    format: Type.Optional(StringEnum(['pdf', 'png', 'html', 'docx'])),
  },
  { additionalProperties: false },
);
export type GenerateBody = Static<typeof GenerateBody>;

/** What of the request this version cannot do; all of it, so that one answer tells everything. */
export function unsupportedIn(body: GenerateBody): ErrorDetail[] {
  const details = unsupportedOptions(body.options ?? {}, '/options');
  if (body.webhook_url !== undefined) {
    details.push({ path: '/webhook_url', message: 'is not supported yet' });
  }
  if (body.format !== undefined && body.format !== 'pdf') {
    details.push({ path: '/format', message: `${body.format} is not supported yet; pdf is` });
  }
  return details;
}

/** What is wrong with the file name. Undefined when it can be used. */
export function filenameProblem(filename: string | undefined): ErrorDetail | undefined {
  if (filename === undefined || safeFilename(filename) !== undefined) return undefined;
  return { path: '/filename', message: 'has no character that a file name can have' };
}
