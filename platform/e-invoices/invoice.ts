/** Number of a business term, such as `BT-1`. */
export type TermId = `BT-${number}`;

/** Number of a group of business terms, such as `BG-25`. */
export type GroupId = `BG-${number}`;

/**
 * A business term of one invoice. `value` is trimmed and never empty. Amounts, quantities and percentages are plain
 * decimals (`-12.50`); dates are `2026-11-28`.
 */
export interface InvoiceValue {
  readonly value: string;
  /** JSON Pointer into the data, if the term is bound to one field. */
  readonly path?: string;
  /** Scheme identifier, such as `EM` for an electronic address. */
  readonly scheme?: string;
  /** Version of the scheme. Only for BT-158. */
  readonly version?: string;
}

/**
 * A group of an invoice; terms outside any group are in the group `BG-0`, the invoice. Values and groups have the right
 * type and are in the right group; the business rules have not been checked yet. A term or group without entries is
 * absent.
 */
export interface InvoiceGroup {
  readonly id: GroupId;
  /** JSON Pointer to the list item in the data. */
  readonly path?: string;
  readonly terms: Readonly<Partial<Record<TermId, readonly InvoiceValue[]>>>;
  readonly groups: Readonly<Partial<Record<GroupId, readonly InvoiceGroup[]>>>;
  /**
   * JSON Pointers to lists, and to the fields of mapped terms that the data lacks. Includes the pointers of child
   * groups that occur once.
   */
  readonly missing?: Readonly<Partial<Record<TermId | GroupId, string>>>;
}

/** The group `BG-0`. */
export type Invoice = InvoiceGroup;

/** Returns the value of a term that occurs at most once, or the first value. */
export function valueOf({ terms }: InvoiceGroup, id: TermId): InvoiceValue | undefined {
  return terms[id]?.[0];
}

export function hasTerm({ terms }: InvoiceGroup, id: TermId): boolean {
  return terms[id] !== undefined;
}

export function valuesOf({ terms }: InvoiceGroup, id: TermId): readonly InvoiceValue[] {
  return terms[id] ?? [];
}

/** Returns the group directly in `group` that occurs at most once, or the first one. */
export function groupOf({ groups }: InvoiceGroup, id: GroupId): InvoiceGroup | undefined {
  return groups[id]?.[0];
}

export function groupsOf({ groups }: InvoiceGroup, id: GroupId): readonly InvoiceGroup[] {
  return groups[id] ?? [];
}
