import type { EInvoiceProfile, InvoiceProblem } from '../e-invoice-spec.ts';
import { groupOf, valueOf, type Invoice, type InvoiceGroup } from '../invoice.ts';
import { PROFILES } from '../profiles.ts';
import { ALL_TERMS, termTitle } from '../terms/terms.ts';
import { valueProblem } from '../terms/value-types.ts';
import { CII_NAMESPACES, CII_ROOT } from '../writing/cii-writer.ts';
import { parseXml, XmlError } from '../xml/parse-xml.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { elementProblems } from './check-elements.ts';
import { CiiReader } from './read-groups.ts';

export type ParsedInvoice =
  | { readonly invoice: Invoice; readonly problems: readonly [] }
  | { readonly invoice?: undefined; readonly problems: readonly InvoiceProblem[] };

const PREFIXES: ReadonlyMap<string, string> = new Map(
  Object.entries(CII_NAMESPACES).map(([prefix, uri]) => [uri, prefix]),
);

/** Maximum number of problems reported for one document. */
const MAX_PROBLEMS = 100;

/** Reads a CII invoice that a caller wrote, and checks everything except the business rules. */
export function parseEInvoice(xml: string, profile: EInvoiceProfile): ParsedInvoice {
  let root: XmlElement;
  try {
    root = parseXml(xml, PREFIXES);
  } catch (error) {
    if (error instanceof XmlError) return failed([{ rule: 'xml-invalid', message: error.message }]);
    throw error;
  }
  if (root.name !== CII_ROOT) {
    const message = 'The XML is not a CrossIndustryInvoice (UN/CEFACT, version 100, D16B).';
    return failed([{ rule: 'xml-invalid', message }]);
  }
  const reader = new CiiReader(root);
  const invoice = reader.readInvoice(root);
  const problems = [
    ...profileProblems(invoice, profile),
    ...elementProblems(root, reader.read),
    ...[...reader.repeated].map((id) => problem('xml-element', id, 'occurs more than once')),
    ...groupProblems(invoice, profile),
  ];
  return problems.length > 0 ? failed(problems) : { invoice, problems: [] };
}

function failed(problems: readonly InvoiceProblem[]): ParsedInvoice {
  return { problems: problems.slice(0, MAX_PROBLEMS) };
}

function profileProblems(invoice: Invoice, profile: EInvoiceProfile): InvoiceProblem[] {
  const control = groupOf(invoice, 'BG-2');
  const { specification, syntaxes } = PROFILES[profile];
  if (!syntaxes.includes('cii')) {
    return [{ rule: 'profile', message: `The profile ${profile} does not use CII.` }];
  }
  if (control && valueOf(control, 'BT-24')?.value === specification) return [];
  return [problem('profile', 'BT-24', `must be ${specification} for the profile ${profile}`)];
}

/** Returns the values of the wrong type, and the terms that the profile does not have. */
function groupProblems(invoice: Invoice, profile: EInvoiceProfile): InvoiceProblem[] {
  const { excluded } = PROFILES[profile];
  const problems: InvoiceProblem[] = [];
  const pending: InvoiceGroup[] = [invoice];
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    for (const id of [group.id, ...Object.keys(group.terms)] as Invoice['id'][]) {
      if (excluded.includes(id)) problems.push(problem('profile', id, `is not in the profile ${profile}`));
    }
    problems.push(...typeProblems(group));
    for (const children of Object.values(group.groups)) pending.push(...(children ?? []));
  }
  return problems;
}

function typeProblems({ terms }: InvoiceGroup): InvoiceProblem[] {
  return Object.entries(terms).flatMap(([id, values = []]) => {
    const term = TERMS.get(id);
    return values.flatMap(({ value }) => {
      const found = term && valueProblem(term, value);
      return term && found !== undefined ? [problem('value-invalid', term.id, found)] : [];
    });
  });
}

const TERMS = new Map<string, (typeof ALL_TERMS)[number]>(ALL_TERMS.map((term) => [term.id, term]));

function problem(rule: string, id: Parameters<typeof termTitle>[0], problemText: string): InvoiceProblem {
  return { rule, term: termTitle(id), message: `${termTitle(id)} ${problemText}.` };
}
