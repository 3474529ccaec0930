import { Type, type Static } from 'typebox';
import { MOST_WARNINGS } from '../limits.ts';
import { StringEnum } from './schema.ts';

/** Reasons why a completed document may not be what its author meant (docs/errors.md, "Warnings of documents"). */
export const WARNING_CODES = ['binding_missing', 'glyphs_missing', 'resource_blocked'] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** Maximum length of each text of a warning, in characters: 20 warnings fit into a resource and an event. */
export const LONGEST_WARNING_TEXT = 256;

export const DocumentWarning = Type.Object(
  {
    code: StringEnum(WARNING_CODES, { description: 'Stable code for programs.' }),
    message: Type.String({ maxLength: LONGEST_WARNING_TEXT, description: 'Human-readable message.' }),
    detail: Type.String({
      maxLength: LONGEST_WARNING_TEXT,
      description: 'Subject: the path of the binding, the script, or the URL without its query.',
    }),
  },
  {
    title: 'DocumentWarning',
    description: 'Possible problem in a completed document.',
  },
);
export type DocumentWarning = Static<typeof DocumentWarning>;

/**
 * Returns at most MOST_WARNINGS warnings in a form that the schema accepts: a rejected warning would keep the work from
 * ever finishing.
 */
export function storableWarnings(warnings: readonly DocumentWarning[]): DocumentWarning[] {
  return warnings
    .filter(({ code }) => WARNING_CODES.includes(code))
    .slice(0, MOST_WARNINGS)
    .map(({ code, message, detail }) => ({ code, message: shortened(message), detail: shortened(detail) }));
}

/** Replaces lone surrogates, which no server stores, and control characters, which JSON spells with six characters. */
function shortened(text: string): string {
  const fits = text.length <= LONGEST_WARNING_TEXT;
  const cut = fits ? text : `${text.slice(0, LONGEST_WARNING_TEXT - 1)}…`;
  return cut.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');
}
