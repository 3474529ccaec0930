import { Type, type Static } from 'typebox';
import { requireScope } from '../../server/auth/authentication.ts';
import type { Caller } from '../../server/auth/caller.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { NewTemplate } from '../../templates/template-body.ts';
import { templateOrigin } from '../../templates/template-origin.ts';

const { name, html, css, schema, default_options, e_invoice } = NewTemplate.properties;

/** A template sent in the request instead of a saved one. */
const InlineTemplate = Type.Object(
  { html, css, schema, default_options, e_invoice, name: Type.Optional(name) },
  {
    additionalProperties: false,
    title: 'InlineTemplate',
    description:
      'A template in the request. Send either this or `template_id`. The request then also requires the `templates:write` scope. If the HTML has no title, `name` is the title of the PDF.',
  },
);
export type InlineTemplate = Static<typeof InlineTemplate>;

/** Fields of a request that define what is generated. */
export const templateMembers = {
  template_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'ID of a template. Send either this or `template`.',
    }),
  ),
  template: Type.Optional(InlineTemplate),
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Stored version of the template to use. Default: the published version, or the current one if none is published.',
    }),
  ),
};

/** The template of a document request. */
export type WorkTemplate =
  | {
      readonly saved: string;
      /** @default the published version, or else the current one */
      readonly version: number | undefined;
    }
  | { readonly sent: InlineTemplate };

const MembersSchema = Type.Object(templateMembers);

/** Returns the template of a request. Throws ApiError `invalid_request` or `insufficient_scope`. */
export function workTemplate(body: Static<typeof MembersSchema>, caller: Caller): WorkTemplate {
  const { version } = body;
  const origin = templateOrigin(body);
  if ('saved' in origin) return { ...origin, version };
  if (version !== undefined) {
    const detail = { path: '/version', message: 'can be sent only with template_id' };
    throw new ApiError('invalid_request', `The body is not valid: /version ${detail.message}.`, {
      details: [detail],
    });
  }
  requireScope(caller, 'templates:write');
  return origin;
}
