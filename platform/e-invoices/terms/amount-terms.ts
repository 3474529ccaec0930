import type { CodeListName } from '../code-lists/code-lists.ts';
import type { GroupId, TermId } from '../invoice.ts';
import { SETTLEMENT } from './cii-paths.ts';
import { group, LIST, REQUIRED, term, type Term, type Group } from './term.ts';

interface Kind {
  readonly title: `${GroupId} ${string}`;
  /** `document level allowance`. */
  readonly of: string;
  readonly isCharge: boolean;
  /** Path in CII before the element. */
  readonly cii: string;
  /** The amount, its base, percentage, reason and reason code. */
  readonly numbers: readonly [number, number, number, number, number];
  readonly vat?: readonly Term[];
}

/** Declares a group of allowances or charges. */
export function allowancesOrCharges({ title, of, isCharge, cii, numbers, vat = [] }: Kind): Group {
  const [amount, base, percentage, reason, code] = numbers;
  const named = (number: number, name: string): `${TermId} ${string}` => `BT-${number} ${of} ${name}`;
  const codes: CodeListName = isCharge ? 'charge-reasons' : 'allowance-reasons';
  const content = [
    term([named(amount, 'amount'), 'amount'], 'ActualAmount', 'Amount', REQUIRED),
    term([named(base, 'base amount'), 'amount'], 'BasisAmount', 'BaseAmount'),
    term([named(percentage, 'percentage'), 'percentage'], 'CalculationPercent', 'MultiplierFactorNumeric'),
    ...vat,
    term([named(reason, 'reason'), 'text'], 'Reason', 'AllowanceChargeReason'),
    term([named(code, 'reason code'), 'code'], 'ReasonCode', 'AllowanceChargeReasonCode', { codes }),
  ];
  const paths = {
    cii: `${cii}/SpecifiedTradeAllowanceCharge*[ChargeIndicator/udt:Indicator=${isCharge}]`,
    ubl: `AllowanceCharge*[ChargeIndicator=${isCharge}]`,
  };
  return group(title, paths, content, LIST);
}

const VAT_CATEGORY = { ...REQUIRED, codes: 'vat-categories' } as const;

const vat = (of: string, category: number, rate: number): Term[] => [
  term(
    [`BT-${category} ${of} VAT category code`, 'code'],
    'CategoryTradeTax{TypeCode=VAT}/CategoryCode',
    'TaxCategory{TaxScheme/ID=VAT}/ID',
    VAT_CATEGORY,
  ),
  term(
    [`BT-${rate} ${of} VAT rate`, 'percentage'],
    'CategoryTradeTax{TypeCode=VAT}/RateApplicablePercent',
    'TaxCategory{TaxScheme/ID=VAT}/Percent',
  ),
];

const ALLOWANCES = allowancesOrCharges({
  title: 'BG-20 document level allowances',
  of: 'document level allowance',
  isCharge: false,
  cii: SETTLEMENT,
  numbers: [92, 93, 94, 97, 98],
  vat: vat('document level allowance', 95, 96),
});

const CHARGES = allowancesOrCharges({
  title: 'BG-21 document level charges',
  of: 'document level charge',
  isCharge: true,
  cii: SETTLEMENT,
  numbers: [99, 100, 101, 104, 105],
  vat: vat('document level charge', 102, 103),
});

const amount = (title: `${TermId} ${string}`, cii: string, ubl: string, options = {}): Term =>
  term([title, 'amount'], cii, ubl, options);

const TOTALS = group(
  'BG-22 document totals',
  { cii: `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`, ubl: '' },
  [
    amount(
      'BT-106 sum of invoice line net amount',
      'LineTotalAmount',
      'LegalMonetaryTotal/LineExtensionAmount',
      REQUIRED,
    ),
    amount(
      'BT-107 sum of allowances on document level',
      'AllowanceTotalAmount',
      'LegalMonetaryTotal/AllowanceTotalAmount',
    ),
    amount(
      'BT-108 sum of charges on document level',
      'ChargeTotalAmount',
      'LegalMonetaryTotal/ChargeTotalAmount',
    ),
    amount(
      'BT-109 invoice total amount without VAT',
      'TaxBasisTotalAmount',
      'LegalMonetaryTotal/TaxExclusiveAmount',
      REQUIRED,
    ),
    amount(
      'BT-110 invoice total VAT amount',
      'TaxTotalAmount[@currencyID=$BT-5]',
      'TaxTotal[TaxAmount/@currencyID=$BT-5]/TaxAmount',
    ),
    amount(
      'BT-111 invoice total VAT amount in accounting currency',
      'TaxTotalAmount[@currencyID=$BT-6]',
      'TaxTotal[TaxAmount/@currencyID=$BT-6]/TaxAmount',
    ),
    amount(
      'BT-112 invoice total amount with VAT',
      'GrandTotalAmount',
      'LegalMonetaryTotal/TaxInclusiveAmount',
      REQUIRED,
    ),
    amount('BT-113 paid amount', 'TotalPrepaidAmount', 'LegalMonetaryTotal/PrepaidAmount'),
    amount('BT-114 rounding amount', 'RoundingAmount', 'LegalMonetaryTotal/PayableRoundingAmount'),
    amount('BT-115 amount due for payment', 'DuePayableAmount', 'LegalMonetaryTotal/PayableAmount', REQUIRED),
  ],
  REQUIRED,
);

const VAT_BREAKDOWN = group(
  'BG-23 VAT breakdown',
  {
    cii: `${SETTLEMENT}/ApplicableTradeTax*{TypeCode=VAT}`,
    ubl: 'TaxTotal[TaxAmount/@currencyID=$BT-5]/TaxSubtotal*',
  },
  [
    amount('BT-116 VAT category taxable amount', 'BasisAmount', 'TaxableAmount', REQUIRED),
    amount('BT-117 VAT category tax amount', 'CalculatedAmount', 'TaxAmount', REQUIRED),
    term(
      ['BT-118 VAT category code', 'code'],
      'CategoryCode',
      'TaxCategory{TaxScheme/ID=VAT}/ID',
      VAT_CATEGORY,
    ),
    term(['BT-119 VAT category rate', 'percentage'], 'RateApplicablePercent', 'TaxCategory/Percent'),
    term(['BT-120 VAT exemption reason text', 'text'], 'ExemptionReason', 'TaxCategory/TaxExemptionReason'),
    term(
      ['BT-121 VAT exemption reason code', 'code'],
      'ExemptionReasonCode',
      'TaxCategory/TaxExemptionReasonCode',
      { codes: 'vat-exemption-reasons' },
    ),
  ],
  { isRequired: true, isList: true },
);

export const AMOUNT_GROUPS = [ALLOWANCES, CHARGES, TOTALS, VAT_BREAKDOWN];
