import { formatJson, isSameJson, objectIn } from '../json-text.ts';
import { emptyMapping, SETTINGS, type EInvoice } from './terms.ts';

/** The `e_invoice` of a template being edited. */
export interface EInvoiceDraft {
  /** Whether the template creates e-invoices. */
  readonly enabled: boolean;
  /** Everything but the mapping, including fields that only newer services know. */
  readonly settings: Omit<EInvoice, 'mapping'>;
  /** JSON, valid or not. */
  readonly mapping: string;
}

const NO_MAPPING = '{}';

/** Returns the draft of a stored `e_invoice`. Without one, the draft has the defaults. */
export function eInvoiceDraftOf(stored: EInvoice | null): EInvoiceDraft {
  if (!stored)
    return { enabled: false, settings: fittedSettings({ profile: 'en16931' }), mapping: NO_MAPPING };
  const { mapping, ...settings } = stored;
  return { enabled: true, settings, mapping: formatJson(mapping) };
}

/** Returns the template's field. The mapping must be valid JSON. */
export function eInvoiceOf({ enabled, settings, mapping }: EInvoiceDraft): EInvoice | null {
  return enabled ? { ...settings, mapping: objectIn(mapping) ?? {} } : null;
}

export function isSameEInvoice(one: EInvoiceDraft, other: EInvoiceDraft): boolean {
  if (!one.enabled || !other.enabled) return one.enabled === other.enabled;
  return (
    isSameJson(JSON.stringify(one.settings), JSON.stringify(other.settings)) &&
    isSameJson(one.mapping, other.mapping)
  );
}

/** Turns the e-invoice on or off. The first time, the mapping has all required terms, with empty strings. */
export function withEInvoice(draft: EInvoiceDraft, enabled: boolean): EInvoiceDraft {
  const isNew = enabled && isSameJson(draft.mapping, NO_MAPPING);
  const mapping = isNew ? formatJson(emptyMapping(draft.settings.profile)) : draft.mapping;
  return { ...draft, enabled, mapping };
}

/** Turns the comparison of the pages with the XML on, which is the default, or off. */
export function withComparison(draft: EInvoiceDraft, enabled: boolean): EInvoiceDraft {
  const { compare: _compare, ...settings } = draft.settings;
  return { ...draft, settings: enabled ? settings : { ...settings, compare: false } };
}

/** Returns settings that the profile allows: the given ones if possible. */
export function fittedSettings(
  given: Pick<EInvoice, 'profile'> & Partial<EInvoiceDraft['settings']>,
): EInvoiceDraft['settings'] {
  const allowed = SETTINGS[given.profile];
  const ofFormat = allowed.filter(({ format }) => format === given.format);
  const found = ofFormat.find(({ syntax }) => syntax === given.syntax) ?? ofFormat[0];
  return { ...given, ...(found ?? allowed[0]) };
}
