import Handlebars from 'handlebars';
import { helperFailure, isMissing, toText, type TemplateHelper } from './arguments.ts';
import { localeOf } from './formatting.ts';

export const TEXT = {
  uppercase: ({ values: [value], named }) =>
    toText('uppercase', value).toLocaleUpperCase(localeOf('uppercase', named['locale'])),
  lowercase: ({ values: [value], named }) =>
    toText('lowercase', value).toLocaleLowerCase(localeOf('lowercase', named['locale'])),
  join: ({ values: [list, separator] }) => {
    if (isMissing(list)) return '';
    if (!Array.isArray(list)) throw helperFailure('join', 'its argument must be a list');
    const between = separator === undefined ? ', ' : toText('join', separator);
    return list.map((item) => toText('join', item)).join(between);
  },
  /** Lines of a string, such as an address, separated by line breaks. */
  lines: ({ values: [value] }) => {
    const escaped = Handlebars.escapeExpression(toText('lines', value));
    return new Handlebars.SafeString(escaped.replaceAll(/\r\n|\r|\n/g, '<br>'));
  },
} satisfies Record<string, TemplateHelper>;
