import type { EInvoiceProfile, EInvoiceSpec, EInvoiceSyntax } from './e-invoice-spec.ts';
import type { GroupId, TermId } from './invoice.ts';

interface Profile {
  /** In BT-24. */
  readonly specification: string;
  /** BT-23, if the mapping has none. */
  readonly businessProcess?: string;
  /** The first one is the default. */
  readonly syntaxes: readonly EInvoiceSyntax[];
  readonly formats: readonly EInvoiceSpec['format'][];
  /** Required in addition to EN 16931. BT-110: BR-CO-14 fails without it, and UBL requires it. */
  readonly required: readonly (TermId | GroupId)[];
  readonly excluded: readonly (TermId | GroupId)[];
}

const EN_16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL_BILLING = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';

/** Allowed combinations of profile, syntax and format, and the terms of each profile. */
export const PROFILES: Readonly<Record<EInvoiceProfile, Profile>> = {
  basic: {
    specification: `${EN_16931}#compliant#urn:factur-x.eu:1p0:basic`,
    syntaxes: ['cii'],
    formats: ['factur-x', 'xml'],
    required: ['BT-110'],
    excluded: [
      ...(['BT-7', 'BT-11', 'BT-14', 'BT-15', 'BT-17', 'BT-18', 'BT-33', 'BT-45', 'BG-6', 'BG-9'] as const),
      ...(['BG-24', 'BT-82', 'BT-85', 'BT-86', 'BG-18', 'BT-114', 'BT-128', 'BT-132', 'BT-133'] as const),
      ...(['BT-137', 'BT-138', 'BT-142', 'BT-143', 'BT-154', 'BT-155', 'BT-156'] as const),
      ...(['BT-158', 'BT-159', 'BG-32'] as const),
    ],
  },
  en16931: {
    specification: EN_16931,
    syntaxes: ['cii', 'ubl'],
    formats: ['factur-x', 'xml'],
    required: ['BT-110'],
    excluded: [],
  },
  xrechnung: {
    specification: `${EN_16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
    businessProcess: PEPPOL_BILLING,
    syntaxes: ['cii', 'ubl'],
    formats: ['factur-x', 'xml'],
    required: [
      ...(['BT-10', 'BT-34', 'BT-37', 'BT-38', 'BG-6', 'BT-41', 'BT-42', 'BT-43'] as const),
      ...(['BT-49', 'BT-52', 'BT-53', 'BT-77', 'BT-78', 'BG-16', 'BT-110'] as const),
    ],
    excluded: [],
  },
  'peppol-bis-3': {
    specification: `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    businessProcess: PEPPOL_BILLING,
    syntaxes: ['ubl'],
    formats: ['xml'],
    required: ['BT-34', 'BT-49', 'BT-110'],
    excluded: [],
  },
};

/** Profiles for e-invoices that callers send as CII. */
export const CII_PROFILES = (Object.keys(PROFILES) as EInvoiceProfile[]).filter((profile) =>
  PROFILES[profile].syntaxes.includes('cii'),
);

/** Returns the mistake in the combination of format, profile and syntax; `field` is in `e_invoice`. */
export function combinationProblem({
  format,
  profile,
  syntax,
}: EInvoiceSpec): { readonly field: string; readonly message: string } | undefined {
  const { syntaxes, formats } = PROFILES[profile];
  if (!formats.includes(format)) {
    return { field: 'format', message: `the profile ${profile} needs the format ${formats.join(' or ')}` };
  }
  if (!syntaxes.includes(syntax)) {
    return { field: 'syntax', message: `the profile ${profile} needs the syntax ${syntaxes.join(' or ')}` };
  }
  if (format === 'factur-x' && syntax !== 'cii') {
    return { field: 'syntax', message: 'the format factur-x needs the syntax cii' };
  }
  return undefined;
}
