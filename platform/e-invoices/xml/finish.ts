import type { XmlElement } from './xml-element.ts';

/** Children of elements in the schema's order, by the parent's name without its prefix. */
export type Sequences = Readonly<Record<string, readonly string[]>>;

/** Removes empty elements, except those with the names in `required`, and sorts children into the schema's order. */
export function finish(element: XmlElement, sequences: Sequences, required: readonly string[]): void {
  for (const child of element.children) finish(child, sequences, required);
  const kept = element.children.filter(
    ({ name, text, children }) => text !== '' || children.length > 0 || required.includes(name),
  );
  const order = sequences[localName(element.name)];
  const sorted = order === undefined ? kept : sort(kept, order);
  element.children.splice(0, element.children.length, ...sorted);
}

/** A stable sort. */
function sort(children: readonly XmlElement[], order: readonly string[]): readonly XmlElement[] {
  const ranks = new Map(order.map((name, index) => [name, index]));
  const rank = ({ name }: XmlElement): number => ranks.get(localName(name)) ?? order.length;
  return children.toSorted((left, right) => rank(left) - rank(right));
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads `{ Parent: 'Child Child' }`. */
export function sequencesOf(lists: Readonly<Record<string, string>>): Sequences {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.split(' ')]));
}
