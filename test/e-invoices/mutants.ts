import type { EInvoiceProfile, EInvoiceSyntax } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { generatedInvoice } from './generated-invoices.ts';
import { MUTATIONS } from './mutations/mutations.ts';
import type { PlainGroup } from './plain-invoice.ts';

/** An invoice that breaks a rule. */
export interface Mutant {
  readonly rule: string;
  readonly profile: EInvoiceProfile;
  readonly syntax: EInvoiceSyntax;
  readonly invoice: PlainGroup;
}

/** Numbers of the generated invoices to try, in order; they differ between the syntaxes. */
const FIRST = { cii: 0, ubl: 120 } as const;
const TRIED = 2000;

/** One mutant for each mutation and syntax. */
export function mutants(): Mutant[] {
  return MUTATIONS.flatMap(({ rule, profile, apply }) =>
    PROFILES[profile].syntaxes.map((syntax) => {
      for (let number = FIRST[syntax]; number < TRIED; number += 1) {
        const invoice = generatedInvoice(number, profile);
        if (apply(invoice)) return { rule, profile, syntax, invoice };
      }
      throw new Error(`no generated invoice has what is needed to break ${rule}`);
    }),
  );
}
