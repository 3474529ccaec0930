import type { LocaleOptions } from '../templating/locale-options.ts';
import { escapePointer } from '../templating/schema/json-pointer.ts';
import type { EInvoiceSpec, InvoiceProblem, MappingProblem } from './e-invoice-spec.ts';
import { declaredInvoice, type DeclaredInvoice } from './declared-invoice.ts';
import { MAX_E_INVOICE_BYTES } from '@trifold/crds/limits.ts';
import { E_INVOICE_PROBLEMS, E_INVOICE_XML_BYTES } from './e-invoice-limits.ts';
import type { Invoice } from './invoice.ts';
import { BindingEvaluator } from './mapping/evaluate.ts';
import { Expansion, TOO_LARGE } from './mapping/expand.ts';
import { MappingParser } from './mapping/parse-mapping.ts';
import { positionIn } from './mapping/position.ts';
import { withContext } from './mapping/with-context.ts';
import { combinationProblem } from './profiles.ts';
import { checkInvoice } from './rules/check-invoice.ts';
import { writeCii } from './writing/cii-writer.ts';
import { schemaProblems } from './writing/schema-problems.ts';
import { writeUbl } from './writing/ubl-writer.ts';

export type { EInvoiceSpec, InvoiceProblem, MappingProblem } from './e-invoice-spec.ts';

/** An invoice's XML, or the reasons why there is none. */
export type EInvoiceResult =
  | {
      readonly xml: string;
      /** Values that the page must show. Absent if the template turns the comparison off. */
      readonly declared?: DeclaredInvoice;
    }
  | { readonly problems: readonly InvoiceProblem[] };

/** The locale and time zone are for the helpers. */
export interface EInvoiceContext extends LocaleOptions {
  /** Whether the invoice contains the note `TEST` (BT-22): for test keys and previews. */
  readonly test: boolean;
}

/** Returns the mistakes in a template's `e_invoice` that would make every document fail. */
export function eInvoiceProblems(spec: EInvoiceSpec): readonly MappingProblem[] {
  const combination = combinationProblem(spec);
  if (combination) {
    return [{ path: `/${combination.field}`, message: combination.message, line: 1, column: 1 }];
  }
  if (Buffer.byteLength(JSON.stringify(spec.mapping)) > MAX_E_INVOICE_BYTES) {
    const message = `the mapping is larger than ${MAX_E_INVOICE_BYTES / 1024} KiB`;
    return [{ path: '/mapping', message, line: 1, column: 1 }];
  }
  const parser = new MappingParser(spec.profile);
  parser.parse(spec.mapping);
  // Finding a position takes time proportional to the mapping.
  return parser.mistakes.slice(0, E_INVOICE_PROBLEMS).map(({ path, message }) => ({
    path: `/${['mapping', ...path].map(escapePointer).join('/')}`,
    message,
    ...positionIn(spec.mapping, path),
  }));
}

/**
 * Returns a function that creates a document's XML from its data. The mapping is parsed only once. The spec must have no
 * mistakes (`eInvoiceProblems`).
 */
export function eInvoiceCreator(
  spec: EInvoiceSpec,
  context: EInvoiceContext,
): (data: unknown) => EInvoiceResult {
  const mapped = new MappingParser(spec.profile).parse(spec.mapping);
  const evaluator = new BindingEvaluator(context);
  return (data) => {
    const expansion = new Expansion(evaluator);
    const expanded = expansion.expand(mapped, data);
    if (!expanded) return { problems: expansion.problems };
    const invoice = withContext(expanded, spec.profile, context.test);
    const problems = [...schemaProblems(invoice, spec), ...checkInvoice(invoice, spec)];
    if (problems.length > 0) return { problems: problems.slice(0, E_INVOICE_PROBLEMS) };
    const xml = write(invoice, spec);
    if (Buffer.byteLength(xml) > E_INVOICE_XML_BYTES) return { problems: [TOO_LARGE] };
    return { xml, ...(spec.compare !== false && { declared: declaredInvoice(invoice) }) };
  };
}

function write(invoice: Invoice, { syntax }: EInvoiceSpec): string {
  return syntax === 'cii' ? writeCii(invoice) : writeUbl(invoice);
}
