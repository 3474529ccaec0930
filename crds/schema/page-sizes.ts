/**
 * Dimensions of the named page sizes in portrait. The interface defines the first three. `dl` and `c5` are envelopes.
 */
export const PAGE_SIZES = {
  letter: ['8.5in', '11in'],
  a4: ['210mm', '297mm'],
  legal: ['8.5in', '14in'],
  a3: ['297mm', '420mm'],
  a5: ['148mm', '210mm'],
  tabloid: ['11in', '17in'],
  dl: ['110mm', '220mm'],
  c5: ['162mm', '229mm'],
} as const;
