import type { EInvoiceSyntax } from '@trifold/platform/e-invoices/e-invoice-spec.ts';

/** Rules that only one side reports when an invoice deliberately breaks a rule. */
export interface Difference {
  /** The rules that are deliberately broken. */
  readonly of: RegExp;
  readonly syntax?: EInvoiceSyntax;
  /** Rules that only the official rule sets report. */
  readonly official?: RegExp;
  /** Rules that only Trifold reports. */
  readonly ours?: RegExp;
  readonly reason: string;
}

const CONSEQUENCE = 'Follows from the missing term, which is reported.';
const SAME_CHECK = 'The official rules for CII test both together.';

export const DIFFERENCES: readonly Difference[] = [
  { of: /^BR-05$|^BR-CL-0[45]$/, official: /^BR-CL-03$/, reason: 'The currency is also in each amount.' },
  { of: /^BR-(08|10|19)$/, syntax: 'cii', official: /^BR-(09|11|20)$/, reason: CONSEQUENCE },
  { of: /^BR-1[2-5]$/, official: /^BR-CO-1[0356]$/, reason: CONSEQUENCE },
  { of: /^BR-22$/, official: /^BR-23$/, reason: CONSEQUENCE },
  { of: /^BR-26$/, official: /^BR-27$/, reason: CONSEQUENCE },
  { of: /^BR-4[56]$/, official: /^BR-[A-Z]+-0[89]$/, reason: CONSEQUENCE },
  { of: /^BR-4[78]$/, official: /^BR-48$|^BR-[A-Z]+-0[89]$/, reason: CONSEQUENCE },
  { of: /^BR-50$/, official: /^BR-61$/, reason: CONSEQUENCE },
  { of: /^BR-53$/, syntax: 'cii', official: /^BR-DEC-15$/, reason: CONSEQUENCE },
  {
    of: /^BR-53$/,
    syntax: 'cii',
    ours: /^BR-53$/,
    reason: 'Without BT-6, the official rules report the currency of BT-111, as BR-CL-03.',
  },
  { of: /^BR-CO-25$/, ours: /^BR-CO-25$/, reason: 'Of these rule sets, only Factur-X has it.' },
  { of: /^BR-CO-18$/, syntax: 'cii', official: /^BR-CO-14$/, reason: CONSEQUENCE },
  { of: /^PEPPOL-EN16931-R121$/, official: /^PEPPOL-EN16931-R120$/, reason: 'The price is divided by 0.' },
  {
    of: /^BR-(24|CO-04|CL-18)$/,
    syntax: 'ubl',
    ours: /^BR-[A-Z]+-08$/,
    reason:
      'The official rules for UBL tolerate sums that differ by less than 1, and categories without lines.',
  },
  {
    of: /^BR-61$|^BR-DE-23-a$/,
    syntax: 'cii',
    ours: /^BR-61$/,
    reason: 'The official rules report CII-SR-470.',
  },
  {
    of: /^BR-CL-17$/,
    syntax: 'cii',
    ours: /^BR-CL-17$/,
    official: /^BR-CL-18$/,
    reason: 'In the official rules for CII, BR-CL-18 checks the categories of the VAT breakdown.',
  },
  {
    of: /^BR-17$/,
    syntax: 'ubl',
    ours: /^BR-17$/,
    reason: "The official rules for UBL compare the payee's name only with the seller's trading name.",
  },
  { of: /^BR-51$/, syntax: 'ubl', ours: /^BR-51$/, reason: 'A warning in the official rules for UBL.' },
  {
    of: /^BR-53$/,
    syntax: 'ubl',
    ours: /^BR-53$/,
    reason: 'The official rules for UBL report the second total in the same currency as BR-CO-15.',
  },
  {
    of: /^PEPPOL-EN16931-R005$/,
    ours: /^BR-53$/,
    official: /^PEPPOL-EN16931-R054$/,
    reason: 'BR-53 reports an accounting currency that equals the invoice currency.',
  },
  {
    of: /^BR-DEC-1[35]$/,
    syntax: 'ubl',
    ours: /^BR-DEC-1[35]$/,
    reason: 'The official rules report UBL-DT-01.',
  },
  {
    of: /^BR-[A-Z]+-01$|^BR-O-11$/,
    syntax: 'ubl',
    ours: /^BR-[EZ]-01$/,
    reason: 'The official rules for UBL tolerate a VAT breakdown that has no lines.',
  },
  {
    of: /^BR-(O|AF|AG)-01$/,
    syntax: 'cii',
    ours: /^BR-(O|AF|AG)-01$/,
    reason: 'The official rules for CII do not notice that the VAT breakdown lacks this category.',
  },
  {
    of: /^BR-[A-Z]+-01$/,
    syntax: 'cii',
    ours: /^BR-[EZ]-08$/,
    reason: 'The official rules tolerate sums that differ by less than 1.',
  },
  {
    of: /^BR-A[FG]-0[5-9]$/,
    syntax: 'cii',
    ours: /^BR-A[FG]-0[89]$/,
    reason: 'The official rules for CII do not compare the amounts of IGIC and IPSI.',
  },
  { of: /^term-missing$/, ours: /^term-missing$/, reason: 'No official rule requires BT-22 and BT-87.' },
  { of: /^BR-O-1[12]$/, syntax: 'cii', official: /^BR-O-1[12]$/, reason: SAME_CHECK },
  { of: /^BR-O-1[34]$/, syntax: 'cii', official: /^BR-O-1[34]$/, reason: SAME_CHECK },
];
