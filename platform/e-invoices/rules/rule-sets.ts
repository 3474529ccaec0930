import type { EInvoiceProfile } from '../e-invoice-spec.ts';
import { CONTENT_RULES, FACTUR_X_RULES } from './content-rules.ts';
import { DERIVED_RULES } from './derived-rules.ts';
import { GERMAN_RULES, PEPPOL_GERMAN_RULES } from './german-rules.ts';
import { PEPPOL_AND_XRECHNUNG_RULES, PEPPOL_RULES } from './peppol-rules.ts';
import type { Rule } from './rule.ts';
import { SPECIAL_CATEGORY_RULES } from './special-category-rules.ts';
import { TOTALS_RULES } from './totals-rules.ts';
import { VAT_CATEGORY_RULES } from './vat-category-rules.ts';

const EN16931_RULES: readonly Rule[] = [
  ...DERIVED_RULES,
  ...CONTENT_RULES,
  ...TOTALS_RULES,
  ...VAT_CATEGORY_RULES,
  ...SPECIAL_CATEGORY_RULES,
];

/** The rules of each profile, in the order in which problems are reported. */
export const RULE_SETS: Readonly<Record<EInvoiceProfile, readonly Rule[]>> = {
  basic: [...EN16931_RULES, ...FACTUR_X_RULES],
  en16931: [...EN16931_RULES, ...FACTUR_X_RULES],
  xrechnung: [...EN16931_RULES, ...GERMAN_RULES, ...PEPPOL_AND_XRECHNUNG_RULES],
  'peppol-bis-3': [...EN16931_RULES, ...PEPPOL_AND_XRECHNUNG_RULES, ...PEPPOL_RULES, ...PEPPOL_GERMAN_RULES],
};
