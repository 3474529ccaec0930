import { E_INVOICE_PROBLEMS } from '../e-invoice-limits.ts';
import type { InvoiceProblem } from '../e-invoice-spec.ts';
import { SETTLEMENT } from '../terms/cii-paths.ts';
import { PAYMENT_GROUP } from '../terms/payment-terms.ts';
import { termTitle } from '../terms/terms.ts';
import { CII_DELIVERY, CII_ROOT } from '../writing/cii-writer.ts';
import { CII_SEQUENCES } from '../writing/cii-sequences.ts';
import { localName } from '../xml/finish.ts';
import { trimXml, type XmlElement } from '../xml/xml-element.ts';
import type { ReadNodes } from './read-nodes.ts';

/** Maximum length of a name in a message: callers choose the names. */
const SHOWN = 80;

/** Problems with terms of the payment instructions that have their element elsewhere, if there are no instructions. */
const PAYMENT_PROBLEMS: ReadonlyMap<string, string> = new Map(
  [PAYMENT_GROUP, ...PAYMENT_GROUP.groups]
    .flatMap(({ terms }) => terms)
    .filter(({ cii }) => cii.startsWith('../'))
    .map(({ id, cii }) => [
      `${CII_ROOT}/${SETTLEMENT}/${cii.slice('../'.length)}`.replaceAll(/\/(?!rsm:)/g, '/ram:'),
      `(${termTitle(id)}) is accepted only with payment instructions (BG-16)`,
    ]),
);

/** Returns what is not in the table, and what the schema does not allow; at most `E_INVOICE_PROBLEMS`. */
export function elementProblems(root: XmlElement, nodes: ReadNodes): InvoiceProblem[] {
  const problems: InvoiceProblem[] = [];
  const pending = [root];
  for (let next = pending.pop(); next && problems.length < E_INVOICE_PROBLEMS; next = pending.pop()) {
    const isKnown = next === root || nodes.hasElement(next);
    const message = isKnown ? problemOf(next, nodes) : unknownProblem(next);
    if (message !== undefined) problems.push({ rule: 'xml-element', message: `${pathOf(next)} ${message}.` });
    // An unknown element is one problem, regardless of its content.
    if (isKnown) pending.push(...next.children.toReversed());
  }
  return problems;
}

function unknownProblem(element: XmlElement): string {
  return PAYMENT_PROBLEMS.get(pathOf(element)) ?? 'is not an element that Trifold can check';
}

function problemOf(element: XmlElement, nodes: ReadNodes): string | undefined {
  const { text, children } = element;
  if (nodes.tooMany.has(element)) return 'occurs more than once';
  const missing = missingChild(element);
  if (missing !== undefined) return `has no ${missing}`;
  if (nodes.withoutConstant.has(element)) return 'has a missing or unsupported type';
  if (isEmpty(element, nodes)) return 'is empty';
  if (text !== '' && (!nodes.hasText(element) || children.length > 0)) return 'may not contain this text';
  const attribute = attributeProblem(element, nodes);
  if (attribute !== undefined) return attribute;
  return isInOrder(element) ? undefined : 'contains elements in the wrong order';
}

/** Children that the schema requires. Rules require all others. */
const REQUIRED_CHILDREN: ReadonlyMap<string, string> = new Map([
  ['ram:GrossPriceProductTradePrice', 'ram:ChargeAmount'],
  ['ram:SpecifiedProcuringProject', 'ram:Name'],
]);

function missingChild({ name, children }: XmlElement): string | undefined {
  const required = REQUIRED_CHILDREN.get(name);
  return children.some((child) => child.name === required) ? undefined : required;
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
