import type { XmlElement } from '../xml/xml-element.ts';

/** Removes all elements with a name except for the first: the official rules allow one, where a syntax has several. */
export function keepFirst(root: XmlElement, name: string): void {
  let isFound = false;
  const visit = ({ children }: XmlElement): void => {
    const kept = children.filter((child) => {
      const isKept = child.name !== name || !isFound;
      isFound ||= child.name === name;
      return isKept;
    });
    children.splice(0, children.length, ...kept);
    for (const child of kept) visit(child);
  };
  visit(root);
}
