/** Returns the object's properties that have these names and are set. */
export function picked<T extends object, Name extends keyof T>(
  object: T,
  names: readonly Name[],
): Pick<T, Name> {
  const members = names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]]));
  return Object.fromEntries(members) as Pick<T, Name>;
}
