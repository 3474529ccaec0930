/** EN 16931's requirements for a VAT category. */
export interface VatCategory {
  readonly code: string;
  /** Its rules are `BR-<prefix>-01` to `BR-<prefix>-10`. */
  readonly prefix: string;
  /** As in a sentence: `standard rated`. */
  readonly name: string;
  readonly rate: 'positive' | 'zero or positive' | 'zero' | 'none';
  /** Whether the breakdown gives the reason for the exemption (BT-120 or BT-121). */
  readonly exemption: 'required' | 'forbidden';
  /** Which identifiers the seller or its tax representative needs. */
  readonly seller: 'VAT or tax number' | 'VAT number' | 'no VAT number';
  readonly buyer?: 'VAT number' | 'VAT or registration number';
}

const TAXED = { exemption: 'forbidden', seller: 'VAT or tax number' } as const;
const EXEMPT = { rate: 'zero', exemption: 'required' } as const;

export const VAT_CATEGORIES: readonly VatCategory[] = [
  { code: 'S', prefix: 'S', name: 'standard rated', rate: 'positive', ...TAXED },
  { code: 'Z', prefix: 'Z', name: 'zero rated', rate: 'zero', ...TAXED },
  { code: 'E', prefix: 'E', name: 'exempt from VAT', ...EXEMPT, seller: 'VAT or tax number' },
  {
    code: 'AE',
    prefix: 'AE',
    name: 'reverse charge',
    ...EXEMPT,
    seller: 'VAT or tax number',
    buyer: 'VAT or registration number',
  },
  {
    code: 'K',
    prefix: 'IC',
    name: 'intra-community supply',
    ...EXEMPT,
    seller: 'VAT number',
    buyer: 'VAT number',
  },
  { code: 'G', prefix: 'G', name: 'export outside the EU', ...EXEMPT, seller: 'VAT number' },
  {
    code: 'O',
    prefix: 'O',
    name: 'not subject to VAT',
    rate: 'none',
    exemption: 'required',
    seller: 'no VAT number',
  },
  { code: 'L', prefix: 'AF', name: 'IGIC', rate: 'zero or positive', ...TAXED },
  { code: 'M', prefix: 'AG', name: 'IPSI', rate: 'zero or positive', ...TAXED },
];
