import { Type, type Static } from 'typebox';
import { MAX_WARNINGS } from '../limits.ts';
import { StringEnum } from './schema.ts';

/**
 * Reasons why a completed document or a compiled email may differ from what its author intended (docs/errors.md,
 * "Warnings of documents").
 */
export const WARNING_CODES = [
  'address_relative',
  'alt_missing',
  'binding_missing',
  'binding_not_text',
  'conformance_broken',
  'content_too_high',
  'content_too_wide',
  'css_variable',
  'date_without_offset',
  'docx_unsupported',
  'element_unsupported',
  'email_clipped',
  'font_missing',
  'glyphs_missing',
  'heading_skipped',
  'invoice_differs',
  'more_warnings',
  'object_order',
  'page_empty',
  'resource_blocked',
  'resource_broken',
  'table_header_missing',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/**
 * Parts of a template and its data in which a problem can occur. Headers and footers have their path in the options.
 */
export const PROBLEM_PARTS = [
  ...(['html', 'css', 'schema', 'data', 'options', 'properties', 'email', 'e_invoice'] as const),
  ...(['email.subject', 'email.preheader', 'email.text'] as const),
  ...(['header', 'header.first', 'header.last', 'header.even', 'header.odd'] as const),
  ...(['footer', 'footer.first', 'footer.last', 'footer.even', 'footer.odd'] as const),
] as const;
export type ProblemPart = (typeof PROBLEM_PARTS)[number];

/** Maximum length of each string in a warning, in characters: 20 warnings fit into a resource and an event. */
export const MAX_WARNING_LENGTH = 256;

/** Location of a problem: the same fields in warnings, preview errors and error details. */
export const ProblemPlace = Type.Object({
  part: Type.Optional(
    StringEnum(PROBLEM_PARTS, { description: 'Part that contains the problem, if known.' }),
  ),
  line: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Line in the part, if the subject appears there verbatim.' }),
  ),
  column: Type.Optional(Type.Integer({ minimum: 1, description: 'Column in the line.' })),
});
export type ProblemPlace = Static<typeof ProblemPlace>;

export const DocumentWarning = Type.Object(
  {
    code: StringEnum(WARNING_CODES, { description: 'Stable warning code that programs can rely on.' }),
    message: Type.String({ maxLength: MAX_WARNING_LENGTH, description: 'Human-readable message.' }),
    name: Type.String({
      maxLength: MAX_WARNING_LENGTH,
      description:
        'Subject: the path of the binding, the header or footer, a selector for the element, the script, the URL without its query, the element, the list of fonts, or the business term. In emails: the address, the custom property, or the tag.',
    }),
    ...ProblemPlace.properties,
  },
  {
    title: 'DocumentWarning',
    description: 'Possible problem in a completed document or a compiled email.',
  },
);
export type DocumentWarning = Static<typeof DocumentWarning>;

/**
 * Returns at most MAX_WARNINGS warnings in a form that the schema accepts: a rejected warning would keep the work from
 * ever finishing. If there are more, the last one says how many are omitted.
 */
export function storableWarnings(warnings: readonly DocumentWarning[]): DocumentWarning[] {
  return limitedWarnings(warnings.filter(isKnown), MAX_WARNINGS).map(({ message, name, ...warning }) => ({
    ...warning,
    message: shortened(message),
    name: shortened(name),
  }));
}

/**
 * Returns at most `limit` warnings. If there are more, the last one says how many are omitted, unless only one can be
 * kept.
 */
export function limitedWarnings(warnings: readonly DocumentWarning[], limit: number): DocumentWarning[] {
  if (warnings.length <= limit || limit === 1) return warnings.slice(0, limit);
  const kept = warnings.slice(0, limit - 1);
  const last = warnings.at(-1);
  const earlier = last?.code === 'more_warnings' ? Number(last.name) - 1 : 0;
  return [...kept, moreWarnings(warnings.length - kept.length + earlier)];
}

function moreWarnings(count: number): DocumentWarning {
  return { code: 'more_warnings', message: `and ${count} more`, name: `${count}` };
}

/** A renderer of a different version can report values that this one does not know. */
function isKnown({ code, name, part }: Partial<DocumentWarning>): boolean {
  const hasPart = part === undefined || PROBLEM_PARTS.includes(part);
  return code !== undefined && WARNING_CODES.includes(code) && hasPart && typeof name === 'string';
}

/** Replaces lone surrogates, which no server stores, and control characters, which JSON escapes with six characters. */
function shortened(text: string): string {
  const fits = text.length <= MAX_WARNING_LENGTH;
  const cut = fits ? text : `${text.slice(0, MAX_WARNING_LENGTH - 1)}…`;
  return cut.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
}
