import { DEFAULT_LOCALE } from '@trifold/crds/limits.ts';
import Handlebars from 'handlebars';
import { helperFailure, isMissing, namedText, toText, type TemplateHelper } from './arguments.ts';

export const TEXT = {
  uppercase: ({ values: [value], named }) =>
    inLocale('uppercase', named['locale'], (locale) => toText('uppercase', value).toLocaleUpperCase(locale)),
  lowercase: ({ values: [value], named }) =>
    inLocale('lowercase', named['locale'], (locale) => toText('lowercase', value).toLocaleLowerCase(locale)),
  join: ({ values: [list, separator] }) => {
    if (isMissing(list)) return '';
    if (!Array.isArray(list)) throw helperFailure('join', 'its argument must be a list');
    const between = separator === undefined ? ', ' : toText('join', separator);
    return list.map((item) => toText('join', item)).join(between);
  },
  /** Lines of a text, such as an address, separated by line breaks. */
  lines: ({ values: [value] }) => {
    const escaped = Handlebars.escapeExpression(toText('lines', value));
    return new Handlebars.SafeString(escaped.replaceAll(/\r\n|\r|\n/g, '<br>'));
  },
} satisfies Record<string, TemplateHelper>;

function inLocale(helper: string, locale: unknown, convert: (locale: string) => string): string {
  try {
    return convert(namedText(helper, 'locale', locale) ?? DEFAULT_LOCALE);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw helperFailure(helper, 'locale= is not a language tag such as de-DE (BCP 47)');
  }
}
