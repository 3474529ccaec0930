import type { InvoiceProblem } from '../e-invoice-spec.ts';
import { CII_SEQUENCES } from '../writing/cii-sequences.ts';
import { localName } from '../xml/finish.ts';
import type { XmlElement } from '../xml/xml-element.ts';

/** Elements of EN 16931 that have no term in the table: attached files, and constants that callers may choose. */
const IGNORED: readonly string[] = [
  'AdditionalReferencedDocument/AttachmentBinaryObject',
  'SpecifiedProcuringProject/Name',
  'GrossPriceProductTradePrice/BasisQuantity',
];

/** Returns the elements that no path in the table leads to, and those in the wrong order. */
export function elementProblems(root: XmlElement, read: ReadonlySet<XmlElement>): InvoiceProblem[] {
  const problems: InvoiceProblem[] = [];
  const pending: { element: XmlElement; path: string }[] = [{ element: root, path: `/${root.name}` }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { element, path } = next;
    if (isUnknown(element, read)) {
      problems.push({ rule: 'xml-element', message: `${path} is not an element of EN 16931 in CII.` });
    } else if (!isInOrder(element)) {
      problems.push({
        rule: 'xml-element',
        message: `The elements in ${path} are not in the order that the schema requires.`,
      });
    }
    for (const child of element.children) pending.push({ element: child, path: `${path}/${child.name}` });
  }
  return problems;
}

function isUnknown(element: XmlElement, read: ReadonlySet<XmlElement>): boolean {
  if (element.text === '' || read.has(element)) return false;
  const parent = element.parent ? localName(element.parent.name) : '';
  return !IGNORED.includes(`${parent}/${localName(element.name)}`);
}

function isInOrder({ name, children }: XmlElement): boolean {
  const order = CII_SEQUENCES[localName(name)] ?? [];
  const ranks = children.map((child) => order.indexOf(localName(child.name))).filter((rank) => rank !== -1);
  return ranks.every((rank, index) => index === 0 || rank >= (ranks[index - 1] ?? 0));
}
