import type { Term } from '../terms/term.ts';

/** BT-8 in the code lists UNTDID 2005, which EN 16931 and UBL use, and UNTDID 2475, which CII uses. */
const VAT_DATE_CODES: readonly (readonly [untdid2005: string, untdid2475: string])[] = [
  ['3', '5'],
  ['35', '29'],
  ['432', '72'],
];

export function ciiText({ id, type }: Term, value: string): string {
  if (type === 'date') return value.replaceAll('-', '');
  if (id === 'BT-8') return VAT_DATE_CODES.find(([code]) => code === value)?.[1] ?? value;
  return value;
}

const CII_DATE = /^(\d{4})(\d{2})(\d{2})$/;
/** Returned for any form that CII does not allow, even the one that EN 16931 uses. */
const NOT_A_DATE = '?';

/** Reverses `ciiText`. Dates and codes that CII does not have become invalid ones. */
export function fromCiiText({ id, type }: Term, text: string): string {
  if (type === 'date') return CII_DATE.test(text) ? text.replace(CII_DATE, '$1-$2-$3') : NOT_A_DATE;
  if (id === 'BT-8') {
    // A code of the other list, such as 3, is not one in CII.
    return VAT_DATE_CODES.find(([, code]) => code === text)?.[0] ?? `${text} in UNTDID 2475`;
  }
  return text;
}
