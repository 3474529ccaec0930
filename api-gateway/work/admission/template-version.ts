import { Type } from 'typebox';

/** Member `version` of a request for documents. */
export const TemplateVersionNumber = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description:
    'Stored version of the template to generate with; default the published one, or else the current one.',
});
