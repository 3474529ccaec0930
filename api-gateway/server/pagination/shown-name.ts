import { Type } from 'typebox';

/** A name shown in lists of one line each, so it holds something to see and nothing that a line cannot hold. */
export const ShownName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^((?=.*\\S)[^\\u0000-\\u001f\\u007f]*)?$',
  'x-pattern-message': 'must not be blank, and must hold no control characters',
});
