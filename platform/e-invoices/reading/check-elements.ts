import { E_INVOICE_PROBLEMS } from '../e-invoice-limits.ts';
import type { InvoiceProblem } from '../e-invoice-spec.ts';
import { CII_DELIVERY } from '../writing/cii-writer.ts';
import { CII_SEQUENCES } from '../writing/cii-sequences.ts';
import { localName } from '../xml/finish.ts';
import { trimXml, type XmlElement } from '../xml/xml-element.ts';
import type { ReadNodes } from './read-nodes.ts';

/** Maximum length of a name in a message: callers choose the names. */
const SHOWN = 80;

/** Returns what is not in the table, and what the schema does not allow; at most `E_INVOICE_PROBLEMS`. */
export function elementProblems(root: XmlElement, nodes: ReadNodes): InvoiceProblem[] {
  const problems: InvoiceProblem[] = [];
  const pending = [root];
  for (let next = pending.pop(); next && problems.length < E_INVOICE_PROBLEMS; next = pending.pop()) {
    const isKnown = next === root || nodes.hasElement(next);
    const message = isKnown ? problemOf(next, nodes) : 'is not an element that Trifold can check';
    if (message !== undefined) problems.push({ rule: 'xml-element', message: `${pathOf(next)} ${message}.` });
    // An unknown element is one problem, regardless of its content.
    if (isKnown) pending.push(...next.children.toReversed());
  }
  return problems;
}

function problemOf(element: XmlElement, nodes: ReadNodes): string | undefined {
  const { text, children } = element;
  if (nodes.tooMany.has(element)) return 'occurs more than once';
  if (nodes.withoutConstant.has(element)) return 'has a missing or unsupported type';
  if (isEmpty(element, nodes)) return 'is empty';
  if (text !== '' && (!nodes.hasText(element) || children.length > 0)) return 'may not contain this text';
  if (lacksAmount(element)) return `has no ${AMOUNT}`;
  const attribute = attributeProblem(element, nodes);
  if (attribute !== undefined) return attribute;
  return isInOrder(element) ? undefined : 'contains elements in the wrong order';
}

const GROSS_PRICE = 'ram:GrossPriceProductTradePrice';
const AMOUNT = 'ram:ChargeAmount';

/** The schema requires the amount of a gross price. Rules require all other elements. */
function lacksAmount({ name, children }: XmlElement): boolean {
  return name === GROSS_PRICE && !children.some((child) => child.name === AMOUNT);
}

function attributeProblem(element: XmlElement, nodes: ReadNodes): string | undefined {
  const unread = [...element.attributes].find(([key]) => !nodes.hasAttribute(element, key));
  if (!unread) return undefined;
  const [key, value] = unread;
  return `has an ${trimXml(value) === '' ? 'empty' : 'unknown'} attribute, ${key.slice(0, SHOWN)}`;
}

/** Whether an element has no text, or only that of constants. */
function isEmpty(element: XmlElement, nodes: ReadNodes): boolean {
  const { name, text, children } = element;
  if (name === CII_DELIVERY || text !== '') return false;
  if (children.length === 0) return true;
  return !nodes.isFilled(element) && children.every((child) => nodes.hasElement(child));
}

function isInOrder({ name, children }: XmlElement): boolean {
  const order = CII_SEQUENCES[localName(name)] ?? [];
  const ranks = children.map((child) => order.indexOf(localName(child.name))).filter((rank) => rank !== -1);
  return ranks.every((rank, index) => index === 0 || rank >= (ranks[index - 1] ?? 0));
}

function pathOf(element: XmlElement): string {
  const names: string[] = [];
  for (let at: XmlElement | undefined = element; at; at = at.parent) names.unshift(at.name.slice(0, SHOWN));
  return names.join('/');
}
