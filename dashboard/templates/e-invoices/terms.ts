import type { Template } from '@trifold/client';
import GENERATED from '../../generated/e-invoice.json' with { type: 'json' };

export type EInvoice = NonNullable<Template['e_invoice']>;
export type EInvoiceProfile = EInvoice['profile'];

/** A business term, or a group of them, which has `entries` instead of `type`. */
export interface InvoiceEntry {
  /** Number and name: `BT-1 invoice number`. */
  readonly title: string;
  readonly isRequired?: boolean;
  readonly isList?: boolean;
  /** Additional profiles that require the entry. */
  readonly requiredBy?: readonly EInvoiceProfile[];
  readonly excludedBy?: readonly EInvoiceProfile[];
  readonly type?: string;
  /** Title of the code list. */
  readonly codes?: string;
  readonly scheme?: 'required' | 'optional';
  readonly entries?: readonly InvoiceEntry[];
}

type Settings = Pick<EInvoice, 'format' | 'syntax'>;

interface Generated {
  readonly maxBytes: number;
  readonly settings: Readonly<Record<EInvoiceProfile, readonly [Settings, ...Settings[]]>>;
  readonly excludedHelpers: readonly string[];
  readonly terms: readonly InvoiceEntry[];
}

/** `npm run generate` copies everything from platform/e-invoices. */
const { maxBytes, settings, excludedHelpers, terms } = GENERATED as unknown as Generated;

/** Maximum size of a mapping. */
export const MAX_MAPPING_BYTES = maxBytes;
/** Allowed combinations of format and syntax, the default first. */
export const SETTINGS = settings;
export const PROFILES = Object.keys(settings) as readonly EInvoiceProfile[];
/** Helpers that return HTML. */
export const EXCLUDED_HELPERS = excludedHelpers;
/** The invoice, which contains the terms outside of any group. */
export const INVOICE: InvoiceEntry = { title: '', entries: terms };

interface PlacedEntry {
  readonly entry: InvoiceEntry;
  /** Numbers of the groups around the entry, innermost first. */
  readonly groups: readonly string[];
}

const BY_NUMBER: ReadonlyMap<string, PlacedEntry> = new Map(
  placedIn(INVOICE, []).map((placed) => [numberOf(placed.entry.title), placed]),
);

function placedIn({ entries = [] }: InvoiceEntry, groups: readonly string[]): PlacedEntry[] {
  return entries.flatMap((entry) => [
    { entry, groups },
    ...placedIn(entry, [numberOf(entry.title), ...groups]),
  ]);
}

/** Returns the number at the start of a key in a mapping: `BT-1`. */
export function numberOf(key: string): string {
  return key.split(' ', 1)[0] ?? '';
}

/** Returns the term or group that a key in a mapping names. */
export function entryOf(key: string): InvoiceEntry | undefined {
  return BY_NUMBER.get(numberOf(key))?.entry;
}

/** Returns the number of a term or group, followed by the numbers of the groups around it, innermost first. */
export function numbersFrom(title: string): readonly string[] {
  const number = numberOf(title);
  return [number, ...(BY_NUMBER.get(number)?.groups ?? [])];
}

/** Returns the terms and groups directly in a group, the required ones first. */
export function entriesOf({ entries = [] }: InvoiceEntry, profile: EInvoiceProfile): readonly InvoiceEntry[] {
  const allowed = entries.filter(({ excludedBy }) => !excludedBy?.includes(profile));
  const rank = (entry: InvoiceEntry) => Number(!isRequiredIn(entry, profile));
  return allowed.toSorted((one, other) => rank(one) - rank(other));
}

export function isRequiredIn(
  { isRequired = false, requiredBy = [] }: InvoiceEntry,
  profile: EInvoiceProfile,
): boolean {
  return isRequired || requiredBy.includes(profile);
}

/** Returns a mapping of all required terms, with empty strings. */
export function emptyMapping(profile: EInvoiceProfile, group = INVOICE): Readonly<Record<string, unknown>> {
  const required = entriesOf(group, profile).filter((entry) => isRequiredIn(entry, profile));
  return Object.fromEntries(required.map((entry) => [entry.title, emptyContent(entry, profile)]));
}

function emptyContent(entry: InvoiceEntry, profile: EInvoiceProfile): unknown {
  if (!entry.entries) return entry.scheme === 'required' ? { value: '', scheme: '' } : '';
  const item = emptyMapping(profile, entry);
  return entry.isList === true ? { each: '', item } : item;
}
