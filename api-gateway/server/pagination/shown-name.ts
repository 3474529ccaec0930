import { Type } from 'typebox';

/** A name for lists with one line for each entry: at least one visible character, and no control characters. */
export const ShownName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^((?=.*\\S)[^\\u0000-\\u001f\\u007f]*)?$',
  'x-pattern-message': 'must not be blank, and must hold no control characters',
});
