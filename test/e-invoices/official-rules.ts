import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { EInvoiceProfile, EInvoiceSyntax } from '@trifold/platform/e-invoices/e-invoice-spec.ts';

/** Names of rule sets in `official-rules/OfficialRules.java`. */
export type RuleSetName =
  | `${'en16931' | 'xrechnung'}-${EInvoiceSyntax}`
  | `factur-x-${'basic' | 'en16931'}`
  | 'peppol-ubl';

export interface CheckedFile {
  readonly set: RuleSetName;
  readonly xml: string;
}

/** A rule that a file breaks; `schema` if the XML schema does not allow it. */
export interface BrokenRule {
  readonly rule: string;
  readonly isWarning: boolean;
  readonly message: string;
}

/** Returns the class path named by TRIFOLD_TEST_E_INVOICE_RULES; undefined if there is none. */
export function officialRulesClassPath(env = process.env): string | undefined {
  return env['TRIFOLD_TEST_E_INVOICE_RULES'];
}

/** The official rules for each profile and syntax. */
export function ruleSetOf(profile: EInvoiceProfile, syntax: EInvoiceSyntax): RuleSetName {
  if (profile === 'peppol-bis-3') return 'peppol-ubl';
  if (profile === 'xrechnung') return `xrechnung-${syntax}`;
  return `en16931-${syntax}`;
}

export interface OfficialResult {
  /** The rules that each file breaks, in file order. */
  readonly broken: readonly (readonly BrokenRule[])[];
  /** The names of all rules that the rule sets contain. */
  readonly rules: ReadonlySet<string>;
}

/** Checks files in one JVM. */
export async function checkOfficially(files: readonly CheckedFile[]): Promise<OfficialResult> {
  const folder = await mkdtemp(join(tmpdir(), 'trifold-e-invoices-'));
  try {
    const paths = files.map((_file, index) => join(folder, `${index}.xml`));
    for (const [index, { xml }] of files.entries()) await writeFile(paths[index]!, xml);
    return parse(
      await run(files.map(({ set }, index) => `${set}\t${paths[index]}\n`).join('')),
      files.length,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parse(output: string, files: number): OfficialResult {
  const broken = Array.from({ length: files }, (): BrokenRule[] => []);
  const rules = new Set<string>();
  for (const line of output.split('\n')) {
    const [first = '', rule = '', flag, message = ''] = line.split('\t');
    if (flag === undefined) rules.add(rule);
    else broken[Number.parseInt(basename(first), 10)]?.push({ rule, isWarning: flag !== 'fatal', message });
  }
  rules.delete('');
  return { broken, rules };
}

async function run(input: string): Promise<string> {
  const classPath = officialRulesClassPath();
  if (classPath === undefined) {
    throw new Error('set TRIFOLD_TEST_E_INVOICE_RULES to the class path that .ci/e-invoice-rules prints');
  }
  const java = spawn('java', ['-cp', classPath, 'OfficialRules'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  java.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    java.on('error', reject).on('close', resolve);
  });
  const output = await text(java.stdout);
  const code = await ended;
  if (code !== 0) throw new Error(`OfficialRules ended with code ${code}`);
  return output;
}
