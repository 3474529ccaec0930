import { E_INVOICE_PROBLEMS } from '../e-invoice-limits.ts';
import type { EInvoiceProfile, EInvoiceSpec, InvoiceProblem } from '../e-invoice-spec.ts';
import { groupOf, valueOf, type GroupId, type Invoice, type InvoiceGroup, type TermId } from '../invoice.ts';
import { PROFILES } from '../profiles.ts';
import { checkInvoice } from '../rules/check-invoice.ts';
import { termOrGroup, termTitle } from '../terms/terms.ts';
import { valueProblem } from '../terms/value-types.ts';
import { CII_DELIVERY, CII_NAMESPACES, CII_ROOT } from '../writing/cii-writer.ts';
import { schemaProblems } from '../writing/schema-problems.ts';
import { parseXml, XmlError } from '../xml/parse-xml.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { elementProblems } from './check-elements.ts';
import { CiiReader } from './read-groups.ts';

type ReadInvoice = { readonly invoice: Invoice } | { readonly problems: readonly InvoiceProblem[] };

const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries(CII_NAMESPACES).map(([prefix, uri]) => [uri, prefix]),
);

/**
 * Checks a CII invoice that a caller wrote, in time linear in its size. Returns its problems, perhaps not all; empty if
 * it is valid.
 */
export function checkSuppliedEInvoice(
  xml: string,
  profile: EInvoiceProfile,
  format: EInvoiceSpec['format'] = 'xml',
): readonly InvoiceProblem[] {
  const read = readEInvoice(xml, profile);
  if ('problems' in read) return read.problems.slice(0, E_INVOICE_PROBLEMS);
  const target = { format, profile, syntax: 'cii' } as const;
  const problems = [...schemaProblems(read.invoice, target), ...checkInvoice(read.invoice, target)];
  return problems.slice(0, E_INVOICE_PROBLEMS);
}

/** Reads a CII invoice, and checks everything except the business rules. */
export function readEInvoice(xml: string, profile: EInvoiceProfile): ReadInvoice {
  let root: XmlElement;
  try {
    root = parseXml(xml, PREFIXES);
  } catch (error) {
    if (error instanceof XmlError) return invalidXml(error.message);
    throw error;
  }
  if (root.name !== CII_ROOT) {
    return invalidXml('The XML is not a CrossIndustryInvoice (UN/CEFACT, version 100, D16B).');
  }
  const reader = new CiiReader(root);
  const invoice = reader.readInvoice(root);
  const problems = [
    ...profileProblems(invoice, profile),
    ...elementProblems(root, reader.nodes),
    ...deliveryProblems(root),
    ...[...reader.contradictory].map((id) => problem('xml-element', id, 'occurs more than once')),
    ...groupProblems(invoice, profile),
  ];
  return problems.length > 0 ? { problems } : { invoice };
}

function invalidXml(message: string): ReadInvoice {
  return { problems: [{ rule: 'xml-invalid', message }] };
}

function profileProblems(invoice: Invoice, profile: EInvoiceProfile): InvoiceProblem[] {
  const control = groupOf(invoice, 'BG-2');
  const { specification, businessProcess } = PROFILES[profile];
  if (!control || valueOf(control, 'BT-24')?.value !== specification) {
    return [problem('profile', 'BT-24', `must be ${specification} for the profile ${profile}`)];
  }
  if (businessProcess === undefined || valueOf(control, 'BT-23')) return [];
  return [problem('PEPPOL-EN16931-R001', 'BT-23', `is missing, for example ${businessProcess}`)];
}

/** The schema requires this element, even if it is empty. */
function deliveryProblems({ children }: XmlElement): InvoiceProblem[] {
  const inTransaction = children.flatMap((child) => child.children);
  if (inTransaction.some(({ name }) => name === CII_DELIVERY)) return [];
  return [{ rule: 'xml-element', message: `The element ${CII_DELIVERY} is missing.` }];
}

/** Returns problems with values of the wrong type and with terms that the profile lacks. */
function groupProblems(invoice: Invoice, profile: EInvoiceProfile): InvoiceProblem[] {
  const { excluded } = PROFILES[profile];
  const problems: InvoiceProblem[] = [];
  const pending: InvoiceGroup[] = [invoice];
  for (let group = pending.pop(); group && problems.length < E_INVOICE_PROBLEMS; group = pending.pop()) {
    for (const id of [group.id, ...(Object.keys(group.terms) as TermId[])]) {
      if (excluded.includes(id)) problems.push(problem('profile', id, `is not in the profile ${profile}`));
    }
    problems.push(...typeProblems(group));
    for (const children of Object.values(group.groups)) pending.push(...(children ?? []));
  }
  return problems;
}

function typeProblems({ terms }: InvoiceGroup): InvoiceProblem[] {
  return (Object.keys(terms) as TermId[]).flatMap((id) => {
    const term = termOrGroup(id);
    return (terms[id] ?? []).flatMap(({ value }) => {
      const found = term && 'type' in term ? valueProblem(term, value) : undefined;
      return found === undefined ? [] : [problem('value-invalid', id, found)];
    });
  });
}

function problem(rule: string, id: TermId | GroupId, text: string): InvoiceProblem {
  return { rule, term: termTitle(id), message: `${termTitle(id)} ${text}.` };
}
