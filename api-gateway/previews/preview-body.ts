import { DOCUMENT_FORMATS, DocumentWarning, MAX_WARNINGS, PROBLEM_PARTS, StringEnum } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { ProblemName, ProblemRule, ProblemTerm } from '../server/errors/error-body.ts';
import { documentData, nullable } from '../server/http/route-schemas.ts';
import { NewTemplate } from '../templates/template-body.ts';
import { ApiOptions } from '../options/api-options.ts';

/** `email`: render the template as an email instead of a document. */
export const PREVIEW_FORMATS = [...DOCUMENT_FORMATS, 'email'] as const;
export type PreviewFormat = (typeof PREVIEW_FORMATS)[number];

const { html, css, schema, default_options, email, e_invoice } = NewTemplate.properties;

/** Body of POST /v1/templates/preview: a template, saved or not, and the data of one document. */
export const PreviewBody = Type.Object(
  {
    html,
    css,
    schema,
    default_options,
    email,
    e_invoice,
    data: documentData(),
    options: Type.Optional(ApiOptions),
    format: Type.Optional(
      StringEnum(PREVIEW_FORMATS, {
        description: 'File format. Default: pdf. `email` requires the `email` field.',
      }),
    ),
  },
  {
    title: 'PreviewRequest',
    additionalProperties: false,
    examples: [
      {
        html: '<h1>Invoice {{number}}</h1>',
        css: 'h1 { font-size: 16pt }',
        data: { number: 'INV-2026-0042' },
        options: { page_size: 'a4' },
      },
    ],
  },
);
export type PreviewBody = Static<typeof PreviewBody>;

const { data, options, format } = PreviewBody.properties;

/** Body of POST /v1/templates/:id/versions/:version/preview: the data of one document. */
export const VersionPreviewBody = Type.Object(
  { data, options, format },
  {
    title: 'VersionPreviewRequest',
    additionalProperties: false,
    examples: [{ data: { number: 'INV-2026-0042' }, options: { page_size: 'a4' } }],
  },
);

/** Request header that makes a preview replace the previous one from the same editor. */
export const PreviewSession = Type.Object({
  'Preview-Session': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      description:
        'Any string that identifies an editor. A newer preview with the same key and session cancels this one.',
    }),
  ),
});

const PreviewError = Type.Object(
  {
    code: Type.String({ description: 'Error code, as listed in the error reference.' }),
    path: nullable(Type.String(), 'JSON Pointer into the body, or null.'),
    message: Type.String({ description: 'The problem.' }),
    name: nullable(ProblemName, 'Subject, or null.'),
    part: nullable(StringEnum(PROBLEM_PARTS), 'Part that contains the problem, or null.'),
    line: nullable(Type.Integer({ minimum: 1 }), 'Line number in the part, or null.'),
    column: nullable(Type.Integer({ minimum: 1 }), 'Column number in the line, or null.'),
    rule: nullable(ProblemRule, 'Rule that the e-invoice breaks, or null.'),
    term: nullable(ProblemTerm, 'Business term or group that breaks the rule, or null.'),
  },
  { title: 'PreviewError', description: 'A problem with a template, or with its schema, options or data.' },
);
export type PreviewError = Static<typeof PreviewError>;

const milliseconds = (description: string) => Type.Number({ minimum: 0, description });

/** A preview as JSON. */
export const PreviewView = Type.Object(
  {
    file: nullable(
      Type.String({ contentEncoding: 'base64' }),
      'The Base64-encoded file, or null. Present if there are no errors, or if only the data is invalid. For an email, the file is its HTML.',
    ),
    email: nullable(
      Type.Object({
        subject: Type.String({ description: 'One line.' }),
        preheader: Type.String({ description: 'Preview text, one line.' }),
        text: Type.String({ description: 'Text alternative.' }),
      }),
      'The other parts of an email, or null.',
    ),
    warnings: Type.Array(DocumentWarning, {
      maxItems: MAX_WARNINGS,
      description: 'Possible problems in the document; empty if there are none.',
    }),
    errors: Type.Array(PreviewError, {
      description: 'Problems that prevent a document from being generated; empty if there are none.',
    }),
    timings: Type.Object(
      {
        check_ms: milliseconds('Time to check the template, the options and the data.'),
        merge_ms: milliseconds('Time to merge the template with the data.'),
        print_ms: milliseconds('Time to create the file, including the wait for a browser.'),
      },
      { description: 'Durations in milliseconds; 0 for a step that did not run.' },
    ),
  },
  { title: 'Preview', description: 'A template with data, rendered but not stored.' },
);
export type PreviewView = Static<typeof PreviewView>;

/** The file is truncated. */
export const EXAMPLE_PREVIEW: PreviewView = {
  file: 'JVBERi0xLjQKJdPr6eEK',
  email: null,
  warnings: [],
  errors: [],
  timings: { check_ms: 1.2, merge_ms: 3.4, print_ms: 41.7 },
};
