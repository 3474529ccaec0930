import { newId } from '@trifold/crds';
import { fontNames } from '@trifold/platform/pdf-comparison/font-names.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { readGolden, writeGolden, type Golden, type GoldenRecord } from './golden-files.ts';
import type { PdfTools } from './pdf-reader.ts';
import { printDifferences } from './print-differences.ts';
import type { Outcome, Sample, SampleResult } from './sample.ts';
import type { SamplePrinter } from './sample-printer.ts';

export type TestedSample = Omit<SampleResult, 'sample' | 'seconds'>;

type Environment = Pick<GoldenRecord, 'browser' | 'architecture' | 'fonts'>;

/** Compares samples with their recorded files, or records them. */
export class GoldenTest {
  readonly #printer: SamplePrinter;
  readonly #tools: PdfTools;

  constructor(printer: SamplePrinter, tools: PdfTools) {
    this.#printer = printer;
    this.#tools = tools;
  }

  /** Rejects with FileError if the record is invalid or the sample cannot be printed. */
  async compare(sample: Sample): Promise<TestedSample> {
    const golden = await readGolden(sample.template, sample.name);
    if (!golden) return { outcome: 'failed', messages: ['no file is recorded: record one with --update'] };
    const print = await this.#printer.print(sample, identityOf(golden.record));
    const { messages, pdfs } = await printDifferences(golden, print, this.#tools.read);
    if (messages.length === 0) return { outcome: 'passed', messages };
    const source = sourceOf(sample);
    const [outcome, reasons] = judge(golden.record, { ...this.#environmentOf(print.pdf), source });
    return { outcome, messages: [...reasons, ...messages], differences: pdfs };
  }

  /** Keeps the time, ID and version of an earlier record. Rejects with FileError. */
  async record(sample: Sample): Promise<TestedSample> {
    const before = await readGolden(sample.template, sample.name);
    const { time, id, version } = before?.record ?? newIdentity();
    const { pdf, pages, warnings } = await this.#printer.print(sample, identityOf({ time, id, version }));
    const printed = { source: sourceOf(sample), ...this.#environmentOf(pdf), pages, warnings: [...warnings] };
    const record = { time, id, version, ...printed };
    if (before && isSame(before, pdf, record)) return { outcome: 'passed', messages: [] };
    await writeGolden(sample.template, sample.name, pdf, record);
    return { outcome: 'recorded', messages: [] };
  }

  #environmentOf(pdf: Uint8Array): Environment {
    const architecture = `${process.platform}-${process.arch}`;
    return { browser: this.#printer.browser, architecture, fonts: [...fontNames(pdf)] };
  }
}

/**
 * A template change can change the fonts, so different fonts excuse a difference only if the template and the data are
 * unchanged.
 */
function judge(
  before: GoldenRecord,
  after: Environment & Pick<GoldenRecord, 'source'>,
): [Outcome, readonly string[]] {
  const reasons = (['browser', 'architecture', 'fonts'] as const)
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => `${name}: ${listOf(after[name])}; recorded with ${listOf(before[name])}`);
  const isElsewhere =
    before.browser !== after.browser ||
    before.architecture !== after.architecture ||
    (reasons.length > 0 && before.source === after.source);
  return [isElsewhere ? 'elsewhere' : 'failed', reasons];
}

function listOf(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ') || 'none';
}

function isSame(golden: Golden, pdf: Uint8Array, record: GoldenRecord): boolean {
  return Buffer.from(golden.pdf).equals(pdf) && JSON.stringify(golden.record) === JSON.stringify(record);
}

function identityOf({ time, id, version }: Pick<GoldenRecord, 'time' | 'id' | 'version'>) {
  return { createdAt: time, id, version } as const;
}

function newIdentity() {
  const now = new Date();
  return { time: now.toISOString(), id: newId('gen', now), version: 1 };
}

function sourceOf({ content: { html, css, schema, default_options }, data }: Sample): string {
  return sha256Hex(JSON.stringify([html, css, schema, default_options, data]));
}
