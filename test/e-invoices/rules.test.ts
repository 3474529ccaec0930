import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { checkInvoice } from '@trifold/platform/e-invoices/rules/check-invoice.ts';
import { RULE_SETS } from '@trifold/platform/e-invoices/rules/rule-sets.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { describe, expect, it } from 'vitest';
import { generatedInvoice } from './generated-invoices.ts';
import { mutants } from './mutants.ts';
import { MUTATIONS } from './mutations/mutations.ts';
import { toInvoice } from './plain-invoice.ts';

const PROFILE_NAMES = Object.keys(PROFILES) as EInvoiceProfile[];

describe('The e-invoice rules', () => {
  it.each(PROFILE_NAMES)('accept valid invoices with the profile %s', (profile) => {
    for (const syntax of PROFILES[profile].syntaxes) {
      for (let number = 0; number < 60; number += 1) {
        const invoice = toInvoice(generatedInvoice(number, profile));
        expect(checkInvoice(invoice, { profile, syntax }), `${number} ${syntax}`).toEqual([]);
      }
    }
  });

  it('each report an invoice that breaks them', () => {
    const unnoticed = mutants().filter(({ invoice, ...mutant }) => {
      const problems = checkInvoice(toInvoice(invoice), mutant);
      return !problems.some(({ rule }) => rule === mutant.rule);
    });
    expect(unnoticed.map(({ rule, syntax }) => `${rule} ${syntax}`)).toEqual([]);
  });

  it('each have an invoice that breaks them', () => {
    const broken = new Set(MUTATIONS.map(({ rule }) => rule));
    const ids = new Set(Object.values(RULE_SETS).flatMap((rules) => rules.map(({ id }) => id)));
    expect([...ids].filter((id) => !broken.has(id))).toEqual([]);
  });
});
