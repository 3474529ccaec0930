import type { EInvoiceProfile, EInvoiceSyntax } from '@trifold/platform/e-invoices/e-invoice-spec.ts';
import { codesOf } from '@trifold/platform/e-invoices/code-lists/code-lists.ts';
import type { Invoice } from '@trifold/platform/e-invoices/invoice.ts';
import { checkSuppliedEInvoice } from '@trifold/platform/e-invoices/reading/read-e-invoice.ts';
import { checkInvoice } from '@trifold/platform/e-invoices/rules/check-invoice.ts';
import { RULE_SETS } from '@trifold/platform/e-invoices/rules/rule-sets.ts';
import { PROFILES } from '@trifold/platform/e-invoices/profiles.ts';
import { writeCii } from '@trifold/platform/e-invoices/writing/cii-writer.ts';
import { writeUbl } from '@trifold/platform/e-invoices/writing/ubl-writer.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createdInvoice } from './created-invoices.ts';
import { DIFFERENCES } from './differences.ts';
import { invoiceWithEveryTerm } from './every-term.ts';
import { mutants } from './mutants.ts';
import { NOT_CHECKED } from './not-checked.ts';
import {
  checkOfficially,
  officialRulesClassPath,
  ruleSetOf,
  type BrokenRule,
  type OfficialResult,
  type RuleSetName,
} from './official-rules.ts';
import { toInvoice } from './plain-invoice.ts';

const INVOICES = 60;
const SYNTAXES = ['cii', 'ubl'] as const;
const PROFILE_NAMES = Object.keys(PROFILES) as EInvoiceProfile[];
const isMissing = officialRulesClassPath() === undefined;
if (isMissing) {
  console.warn('skipped: set TRIFOLD_TEST_E_INVOICE_RULES to the class path that .ci/e-invoice-rules prints');
}

interface Case {
  readonly name: string;
  readonly set: RuleSetName;
  readonly xml: string;
}

/** Rules that Trifold knows; the others concern the structure of the XML, or are in `NOT_CHECKED`. */
const OUR_RULES = new Set(Object.values(RULE_SETS).flatMap((rules) => rules.map(({ id }) => id)));

/** Factur-X reports a term that the profile does not have. */
const NOT_USED = /is marked as not used/;

/** A rule that only Trifold has, and one that only Factur-X has, which numbers its rules differently. */
const UNNAMED = new Set(['term-missing', 'BR-CO-25']);

describe.skipIf(isMissing && !process.env['CI'])('The official e-invoice rules', () => {
  const valid = [
    ...PROFILE_NAMES.flatMap((profile) =>
      PROFILES[profile].syntaxes.flatMap((syntax) => created(profile, syntax)),
    ),
    ...SYNTAXES.flatMap(ofEachType),
  ];
  const complete = [
    { set: 'factur-x-basic', xml: writeCii(invoiceWithEveryTerm('basic', '380')) },
    { set: 'factur-x-en16931', xml: writeCii(invoiceWithEveryTerm('en16931', '380')) },
    { set: 'en16931-ubl', xml: writeUbl(invoiceWithEveryTerm('en16931', '380')) },
    { set: 'en16931-ubl', xml: writeUbl(invoiceWithEveryTerm('en16931', '381')) },
  ] as const;
  const broken = mutants().map((mutant) => {
    const invoice = toInvoice(mutant.invoice);
    const problems = checkInvoice(invoice, mutant);
    const xml = written(invoice, mutant.syntax);
    return { ...mutant, xml, ours: new Set(problems.map(({ rule }) => rule)) };
  });
  let official: OfficialResult;

  beforeAll(async () => {
    const files = broken.map(({ profile, syntax, xml }) => ({ set: ruleSetOf(profile, syntax), xml }));
    official = await checkOfficially([...valid, ...files, ...complete]);
  }, 300_000);

  it('accept each generated invoice in each profile and syntax', () => {
    const rejected = valid.flatMap(({ name }, index) =>
      errorsOf(official.broken[index]).map(({ rule, message }) => `${name}: ${rule} ${message}`),
    );
    expect(rejected).toEqual([]);
    expect(valid.length).toBeGreaterThanOrEqual(INVOICES * 6);
  });

  it('allow every term of a profile', () => {
    const problems = official.broken.slice(-complete.length).flat();
    const unknown = problems.filter(({ rule, message }) => rule === 'schema' || NOT_USED.test(message));
    expect(unknown).toEqual([]);
    expect(problems).not.toEqual([]);
  });

  it('reject each invalid invoice because of the same rules that Trifold reports', () => {
    const differences = broken.flatMap(({ rule, syntax, ours }, index) => {
      const errors = errorsOf(official.broken[valid.length + index]);
      const theirs = new Set(errors.map((error) => error.rule).filter((id) => OUR_RULES.has(id)));
      const known = DIFFERENCES.filter((entry) => entry.of.test(rule) && (entry.syntax ?? syntax) === syntax);
      const onlyOurs = [...ours].filter(
        (id) => !theirs.has(id) && !known.some((entry) => entry.ours?.test(id)),
      );
      const onlyTheirs = [...theirs].filter(
        (id) => !ours.has(id) && !known.some((entry) => entry.official?.test(id)),
      );
      const isRejected = errors.length > 0 || known.some((entry) => entry.ours?.test(rule));
      if (isRejected && ours.has(rule) && onlyOurs.length + onlyTheirs.length === 0) return [];
      return [{ rule, syntax, isRejected, onlyOurs, onlyTheirs }];
    });
    expect(differences).toEqual([]);
    expect(broken.length).toBeGreaterThanOrEqual(300);
  });

  it('reject a CII invoice because of the same rule as Trifold when it reads it', () => {
    const differences = broken.flatMap(({ rule, profile, syntax, xml }, index) => {
      if (syntax !== 'cii' || !errorsOf(official.broken[valid.length + index]).some(isOf(rule))) return [];
      return checkSuppliedEInvoice(xml, profile).some(isOf(rule)) ? [] : [rule];
    });
    expect(differences).toEqual([]);
  });

  it('are checked by Trifold, or listed with a reason', () => {
    const notOurs = [...official.rules].filter((rule) => !OUR_RULES.has(rule));
    const unlisted = notOurs.filter((rule) => !NOT_CHECKED.some(([pattern]) => pattern.test(rule)));
    const unused = NOT_CHECKED.filter(([pattern]) => !notOurs.some((rule) => pattern.test(rule)));
    expect({ unlisted, unused }).toEqual({ unlisted: [], unused: [] });
  });

  it('contain every rule that Trifold checks', () => {
    expect([...OUR_RULES].filter((rule) => !UNNAMED.has(rule) && !official.rules.has(rule))).toEqual([]);
  });
});

function created(profile: EInvoiceProfile, syntax: EInvoiceSyntax): Case[] {
  return Array.from({ length: INVOICES }, (_invoice, number) => {
    const xml = createdInvoice(number, { profile, syntax });
    const sets = [ruleSetOf(profile, syntax), ...facturX(profile, syntax)];
    return sets.map((set) => ({ name: `${number} ${set}`, set, xml }));
  }).flat();
}

/** One invoice of each type that EN 16931 allows. */
function ofEachType(syntax: EInvoiceSyntax): Case[] {
  return Array.from(codesOf('invoice-types'), (type) => ({
    name: `type ${type} ${syntax}`,
    set: ruleSetOf('en16931', syntax),
    xml: createdInvoice(0, { profile: 'en16931', syntax }, { 'BT-3': type }),
  }));
}

function facturX(profile: EInvoiceProfile, syntax: EInvoiceSyntax): RuleSetName[] {
  if (syntax === 'ubl' || (profile !== 'basic' && profile !== 'en16931')) return [];
  return [`factur-x-${profile}`];
}

function written(invoice: Invoice, syntax: EInvoiceSyntax): string {
  return syntax === 'cii' ? writeCii(invoice) : writeUbl(invoice);
}

function isOf(rule: string): (problem: { readonly rule: string }) => boolean {
  return (problem) => problem.rule === rule;
}

function errorsOf(broken: readonly BrokenRule[] = []): readonly BrokenRule[] {
  return broken.filter(({ isWarning }) => !isWarning);
}
