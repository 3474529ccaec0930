import { groupOf, hasTerm, valueOf, type GroupId, type InvoiceGroup, type TermId } from '../invoice.ts';
import { CREDIT_TRANSFERS } from './content-rules.ts';
import type { GroupRule, RuleContext } from './rule.ts';

const CARDS: ReadonlySet<string> = new Set(['48', '54', '55']);
const DIRECT_DEBITS: ReadonlySet<string> = new Set(['59']);

/** A discount for early payment. Each part ends at the next literal character, so matching takes one scan. */
const SKONTO = /^#SKONTO#TAGE=\d+#PROZENT=\d+\.\d{2}(#BASISBETRAG=-?\d+\.\d{2})?#$/;

/** A group that must be present, and a term that it must have. */
const PRESENT = [
  ['BR-DE-1', 'BG-0', 'BG-16', 'payment instructions'],
  ['BR-DE-2', 'BG-4', 'BG-6', "seller's contact details"],
  ['BR-DE-3', 'BG-5', 'BT-37', "seller's city"],
  ['BR-DE-4', 'BG-5', 'BT-38', "seller's post code"],
  ['BR-DE-5', 'BG-6', 'BT-41', "name of the seller's contact"],
  ['BR-DE-6', 'BG-6', 'BT-42', "seller's telephone number"],
  ['BR-DE-7', 'BG-6', 'BT-43', "seller's email address"],
  ['BR-DE-8', 'BG-8', 'BT-52', "buyer's city"],
  ['BR-DE-9', 'BG-8', 'BT-53', "buyer's post code"],
  ['BR-DE-10', 'BG-15', 'BT-77', 'city of the delivery address'],
  ['BR-DE-11', 'BG-15', 'BT-78', 'post code of the delivery address'],
  ['BR-DE-14', 'BG-23', 'BT-119', 'VAT rate'],
  ['BR-DE-15', 'BG-0', 'BT-10', 'buyer reference (in Germany, the Leitweg-ID of a public buyer)'],
  ['BR-DE-30', 'BG-19', 'BT-90', 'creditor identifier for the direct debit'],
  ['BR-DE-31', 'BG-19', 'BT-91', 'account debited by the direct debit'],
] as const;

/** The group of each payment means, and the groups of the others. */
const MEANS = [
  ['BR-DE-23', CREDIT_TRANSFERS, 'BG-17', ['BG-18', 'BG-19'], 'credit transfer'],
  ['BR-DE-24', CARDS, 'BG-18', ['BG-17', 'BG-19'], 'card payment'],
  ['BR-DE-25', DIRECT_DEBITS, 'BG-19', ['BG-17', 'BG-18'], 'direct debit'],
] as const;

/** BR-DE-1 to BR-DE-31: the XRechnung rules that are errors. */
export const GERMAN_RULES: readonly GroupRule[] = [
  ...PRESENT.map(([id, group, wanted, what]): GroupRule => {
    return {
      id,
      group,
      term: wanted,
      holds: (entry) => contains(entry, wanted),
      message: `The invoice must include the ${what}.`,
    };
  }),
  {
    id: 'BR-DE-16',
    group: 'BG-0',
    term: 'BT-31',
    holds: (_invoice, context) => !hasTaxedCategory(context) || hasTaxNumber(context),
    message: 'The seller needs a VAT number, a tax number or a tax representative.',
  },
  {
    id: 'BR-DE-18',
    group: 'BG-0',
    term: 'BT-20',
    holds: (invoice) => hasSkontoForm(valueOf(invoice, 'BT-20')?.value ?? ''),
    message:
      'Lines in the payment terms that begin with # must have the form #SKONTO#TAGE=14#PROZENT=2.00# or #SKONTO#TAGE=14#PROZENT=2.00#BASISBETRAG=100.00#, and must end with a line break.',
  },
  ...MEANS.flatMap(([id, codes, own, others, what]): GroupRule[] => [
    {
      id: `${id}-a`,
      group: 'BG-16',
      term: own,
      holds: (payment) => !isBy(codes, payment) || groupOf(payment, own) !== undefined,
      message: `The ${what} details are missing.`,
    },
    {
      id: `${id}-b`,
      group: 'BG-16',
      term: own,
      holds: (payment) => !isBy(codes, payment) || others.every((id) => groupOf(payment, id) === undefined),
      message: `An invoice paid by ${what} must not have details of another means of payment.`,
    },
  ]),
];

function contains(group: InvoiceGroup, wanted: TermId | GroupId): boolean {
  return wanted.startsWith('BT-')
    ? hasTerm(group, wanted as TermId)
    : groupOf(group, wanted as GroupId) !== undefined;
}

function isBy(codes: ReadonlySet<string>, payment: InvoiceGroup): boolean {
  return codes.has(valueOf(payment, 'BT-81')?.value ?? '');
}

const WITH_TAX_NUMBER = ['S', 'Z', 'E', 'AE', 'K', 'G', 'L', 'M'];

function hasTaxedCategory(context: RuleContext): boolean {
  return WITH_TAX_NUMBER.some((code) => context.category(code) !== undefined);
}

function hasTaxNumber(context: RuleContext): boolean {
  return (
    context.groups('BG-11').length > 0 ||
    context.groups('BG-4').some((seller) => hasTerm(seller, 'BT-31') || hasTerm(seller, 'BT-32'))
  );
}

/** A line break must follow each discount. */
function hasSkontoForm(terms: string): boolean {
  const lines = terms.split('\n');
  if (lines.at(-1)?.trimStart().startsWith('#')) return false;
  return lines.every((line) => !line.trimStart().startsWith('#') || SKONTO.test(line.trim()));
}

/** Peppol has the same rules for invoices within Germany, with other names: `DE-R-001`, `DE-R-023-1`. */
export const PEPPOL_GERMAN_RULES: readonly GroupRule[] = GERMAN_RULES.map((rule) => ({
  ...rule,
  id: peppolName(rule.id),
  applies: isWithinGermany,
}));

export function isWithinGermany(context: RuleContext): boolean {
  return context.value('BG-5', 'BT-40') === 'DE' && context.value('BG-8', 'BT-55') === 'DE';
}

/** `DE-R-001` for `BR-DE-1`. */
export function peppolName(id: string): string {
  const [number = '', part] = id.slice('BR-DE-'.length).split('-');
  const name = `DE-R-${number.padStart(3, '0')}`;
  return part === undefined ? name : `${name}-${part === 'a' ? 1 : 2}`;
}
