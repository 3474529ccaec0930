import type { EInvoiceSpec, InvoiceProblem } from '../e-invoice-spec.ts';
import { groupsOf, hasTerm, valueOf, type GroupId, type Invoice, type TermId } from '../invoice.ts';
import { termTitle } from '../terms/terms.ts';
import { isUblCreditNote } from './ubl-writer.ts';

type Target = Pick<EInvoiceSpec, 'format' | 'profile' | 'syntax'>;

/** Returns problems with content that EN 16931 allows but the schema does not. */
export function schemaProblems(invoice: Invoice, target: Target): InvoiceProblem[] {
  return [precedingInvoices, grossPrices, dueDate].flatMap((find) => find(invoice, target));
}

/**
 * The CII schema of EN 16931 and XRechnung, D16B, allows only one preceding invoice. The schema of Factur-X 1.08, D22B,
 * allows many.
 */
function precedingInvoices(invoice: Invoice, { format, profile, syntax }: Target): InvoiceProblem[] {
  const isD16B = profile === 'xrechnung' || (profile === 'en16931' && format === 'xml');
  if (!isD16B || syntax !== 'cii' || groupsOf(invoice, 'BG-3').length < 2) return [];
  const remedy = profile === 'xrechnung' ? 'use the syntax ubl' : 'use the syntax ubl or the format factur-x';
  return [problem('BG-3', `may occur only once, because the CII schema (D16B) allows one: ${remedy}`)];
}

/** CII puts the discount in the gross price, whose amount the schema requires. */
function grossPrices(invoice: Invoice, { syntax }: Target): InvoiceProblem[] {
  if (syntax !== 'cii') return [];
  const message = 'is missing: with the syntax cii, an item price discount (BT-147) needs it';
  return groupsOf(invoice, 'BG-25')
    .flatMap((line) => groupsOf(line, 'BG-29'))
    .filter((price) => hasTerm(price, 'BT-147') && !hasTerm(price, 'BT-148'))
    .map((price) => {
      const path = price.missing?.['BT-148'] ?? valueOf(price, 'BT-147')?.path;
      return { ...problem('BT-148', message), ...(path !== undefined && { path }) };
    });
}

/** A CreditNote's due date is in its payment instructions. */
function dueDate(invoice: Invoice, { syntax }: Target): InvoiceProblem[] {
  const due = valueOf(invoice, 'BT-9');
  if (!due || syntax !== 'ubl' || !isUblCreditNote(invoice)) return [];
  if (groupsOf(invoice, 'BG-16').length > 0) return [];
  const message = 'needs payment instructions (BG-16) in a credit note with the syntax ubl';
  return [{ ...problem('BT-9', message), ...(due.path !== undefined && { path: due.path }) }];
}

function problem(id: TermId | GroupId, message: string): InvoiceProblem {
  const term = termTitle(id);
  return { rule: 'schema', term, message: `${term} ${message}.` };
}
