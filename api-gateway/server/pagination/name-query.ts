import { Type } from 'typebox';

/** Returns the query parameter of lists that searches names. `what` says which entries match, without a period. */
export function nameQuery(what: string) {
  return {
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: `${what}. Upper and lower case are the same.`,
      }),
    ),
  };
}

/** Returns whether one of the names contains the text, in any case. Without a text, everything matches. */
export function nameMatcher(q: string | undefined): (...names: readonly (string | undefined)[]) => boolean {
  if (q === undefined) return () => true;
  const wanted = folded(q);
  return (...names) => names.some((name) => name !== undefined && folded(name).includes(wanted));
}

/** Returns the name of a list for its cursors; the list without a search keeps its name. */
export function searchedList(list: string, q: string | undefined): string {
  return q === undefined ? list : `${list}?q=${q}`;
}

/** Some systems write an accent as a character of its own. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
