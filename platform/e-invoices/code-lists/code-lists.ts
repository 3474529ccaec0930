import {
  COUNTRIES,
  CURRENCIES,
  INVOICE_TYPES,
  PAYMENT_MEANS,
  VAT_CATEGORIES,
  VAT_DATE_CODES,
} from './basic-codes.ts';
import { ALLOWANCE_REASONS, CHARGE_REASONS, VAT_EXEMPTION_REASONS } from './reasons.ts';
import { ITEM_CLASSIFICATIONS, NOTE_SUBJECTS, REFERENCE_QUALIFIERS } from './references.ts';
import { ADDRESS_SCHEMES, IDENTIFIER_SCHEMES } from './schemes.ts';
import { UNITS } from './units.ts';

/**
 * The codes in version 1.3.16 of the official EN 16931 rules, except that the currency STN replaces CNH and STD, that
 * the country AN is absent, and that the VAT category B is not supported.
 */
const CODE_LISTS = {
  'invoice-types': INVOICE_TYPES,
  currencies: CURRENCIES,
  countries: COUNTRIES,
  'vat-date-codes': VAT_DATE_CODES,
  'note-subjects': NOTE_SUBJECTS,
  'payment-means': PAYMENT_MEANS,
  'identifier-schemes': IDENTIFIER_SCHEMES,
  'address-schemes': ADDRESS_SCHEMES,
  'object-schemes': REFERENCE_QUALIFIERS,
  'vat-categories': VAT_CATEGORIES,
  'allowance-reasons': ALLOWANCE_REASONS,
  'charge-reasons': CHARGE_REASONS,
  'vat-exemption-reasons': VAT_EXEMPTION_REASONS,
  units: UNITS,
  'item-classification-schemes': ITEM_CLASSIFICATIONS,
} as const satisfies Record<string, ReadonlySet<string>>;

/** Code lists that business terms refer to. */
export type CodeListName = keyof typeof CODE_LISTS;

/** Names of the code lists, as users see them. */
export const CODE_LIST_TITLES: Readonly<Record<CodeListName, string>> = {
  'invoice-types': 'UNTDID 1001',
  currencies: 'ISO 4217',
  countries: 'ISO 3166-1',
  'vat-date-codes': 'UNTDID 2005',
  'note-subjects': 'UNTDID 4451',
  'payment-means': 'UNTDID 4461',
  'identifier-schemes': 'ISO/IEC 6523',
  'address-schemes': 'EAS',
  'object-schemes': 'UNTDID 1153',
  'vat-categories': 'UNTDID 5305 (S Z E AE K G O L M)',
  'allowance-reasons': 'UNTDID 5189',
  'charge-reasons': 'UNTDID 7161',
  'vat-exemption-reasons': 'VATEX',
  units: 'UNECE Rec 20 and 21',
  'item-classification-schemes': 'UNTDID 7143',
};

/** Whether a code is in a list. Case-sensitive: `EUR`, not `eur`. */
export function isCode(list: CodeListName, code: string): boolean {
  return CODE_LISTS[list].has(code);
}

/** Returns all codes of a list. */
export function codesOf(list: CodeListName): ReadonlySet<string> {
  return CODE_LISTS[list];
}
