import type { Decimal } from './decimal.ts';
import type { EInvoiceProfile, EInvoiceSyntax } from '../e-invoice-spec.ts';
import type { GroupId, InvoiceGroup, InvoiceValue, TermId } from '../invoice.ts';

/** Amounts of one VAT category, or of one category and rate. */
export interface CategoryTotals {
  /** Sum of the lines' net amounts and the charges, less the allowances. */
  readonly taxable: Decimal;
  /** Where the category occurs. */
  readonly isInLines: boolean;
  readonly isInAllowances: boolean;
  readonly isInCharges: boolean;
}

/** Information about the whole invoice, for rules. Computed once per invoice. */
export interface RuleContext {
  readonly profile: EInvoiceProfile;
  readonly syntax: EInvoiceSyntax;
  /** All groups with this number, at any depth. */
  groups(id: GroupId): readonly InvoiceGroup[];
  /** The first value of a term in the groups with this number. For rules about the invoice: reads all groups. */
  value(group: GroupId, term: TermId): string | undefined;
  /** Sum of a term over all groups with this number. */
  sum(group: GroupId, term: TermId): Decimal;
  /** Totals of a VAT category, or of a category and rate: `S`, `S 19`. Undefined if the category does not occur. */
  category(key: string): CategoryTotals | undefined;
  /** Number of entries for a VAT category in the VAT breakdown. */
  breakdowns(category: string): number;
}

/** A rule about a group. */
export interface GroupRule {
  /** Name of the official rule. */
  readonly id: string;
  /** Groups that the rule checks. */
  readonly group: GroupId;
  /** Term, or group, that the problem names. */
  readonly term: TermId | GroupId;
  /** Whether the rule applies to this invoice. By default, it does. */
  readonly applies?: (context: RuleContext) => boolean;
  /** Returns whether the group conforms to the rule. */
  readonly holds: (group: InvoiceGroup, context: RuleContext) => boolean;
  /** Says what is wrong, for readers who know invoices but not EN 16931. */
  readonly message: string | ((group: InvoiceGroup, context: RuleContext) => string);
}

/** A rule about each value of a term. */
export interface ValueRule {
  readonly id: string;
  readonly group: GroupId;
  readonly term: TermId;
  readonly allows: (value: InvoiceValue, context: RuleContext) => boolean;
  readonly message: string | ((value: InvoiceValue) => string);
}

export type Rule = GroupRule | ValueRule;
