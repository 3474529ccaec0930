import type { EInvoiceProfile } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { checkInvoice } from '@trifold/platform/e-invoices/rules/check-invoice.ts';
import { RULE_SETS } from '@trifold/platform/e-invoices/rules/rule-sets.ts';
import { CII_PROFILES, PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { checkSuppliedEInvoice, readEInvoice } from '@trifold/platform/e-invoices/reading/read-e-invoice.ts';
import { writeCii } from '@trifold/platform/e-invoices/writing/cii-writer.ts';
import { describe, expect, it } from 'vitest';
import { createdInvoice } from './created-invoices.ts';
import { invoiceWithEveryTerm } from './every-term.ts';
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

  it('report every invoice that breaks one of them', () => {
    const unnoticed = mutants().filter(({ invoice, ...mutant }) => {
      const problems = checkInvoice(toInvoice(invoice), mutant);
      return !problems.some(({ rule }) => rule === mutant.rule);
    });
    expect(unnoticed.map(({ rule, syntax }) => `${rule} ${syntax}`)).toEqual([]);
  });

  it('are each broken by at least one invoice', () => {
    const broken = new Set(MUTATIONS.map(({ rule }) => rule));
    const ids = new Set(Object.values(RULE_SETS).flatMap((rules) => rules.map(({ id }) => id)));
    expect([...ids].filter((id) => !broken.has(id))).toEqual([]);
  });
});

describe('A CII invoice that a caller wrote', () => {
  it.each(CII_PROFILES)('is read as it was written, and is valid, with the profile %s', (profile) => {
    for (let number = 0; number < 60; number += 1) {
      const xml = createdInvoice(number, { profile, syntax: 'cii' });
      expect(checkSuppliedEInvoice(xml, profile), `${number}`).toEqual([]);
      const read = readEInvoice(xml, profile);
      expect('invoice' in read && writeCii(read.invoice), `${number}`).toBe(xml);
    }
  });

  it.each(CII_PROFILES)('can have every term of the profile %s', (profile) => {
    const invoice = invoiceWithEveryTerm(profile, '380');
    expect(readEInvoice(writeCii(invoice), profile)).toEqual({ invoice });
  });

  it('is rejected because of the rule that it breaks', () => {
    // The writer omits a group that lacks its only term.
    const written = mutants().filter(({ syntax, rule }) => syntax === 'cii' && rule !== 'term-missing');
    const unnoticed = written.filter(({ invoice, profile, rule }) => {
      const problems = checkSuppliedEInvoice(writeCii(toInvoice(invoice)), profile);
      return !problems.some((problem) => problem.rule === rule);
    });
    expect(unnoticed.map(({ rule }) => rule)).toEqual([]);
  });
});
