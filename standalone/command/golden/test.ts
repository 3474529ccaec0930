import path from 'node:path';
import { UsageError } from '@trifold/cli/usage-error.ts';
import { TrifoldError } from '@trifold/client';
import { startFailure } from '../../start-failure.ts';
import { FileError } from '../render/read-input.ts';
import type { LocalRenderer } from '../render/local-renderer.ts';
import { withLocalRenderer } from '../render/with-local-renderer.ts';
import { writeOutput } from '../render/write-output.ts';
import { clearProgress, say, showProgress } from '../progress.ts';
import { wantedOf } from '../templates/matching.ts';
import { attempt } from '../templates/problems.ts';
import { foldersIn, readTemplate } from '../templates/template-folder.ts';
import { deleteUnused } from './golden-files.ts';
import { GoldenTest, type TestedSample } from './golden-test.ts';
import { htmlReport } from './html-report.ts';
import { junitReport } from './junit-report.ts';
import { loadPdfTools, type PdfTools } from './pdf-reader.ts';
import { printDifferences } from './print-differences.ts';
import { sampleFile, SamplePrinter } from './sample-printer.ts';
import type { Outcome, Sample, SampleResult } from './sample.ts';
import { ServicePrints } from './service-prints.ts';

/** Arguments and options of `trifold test`. */
export interface TestCommand {
  /** Contains a folder for each template. @default the templates of the service */
  readonly directory?: string | undefined;
  /** Folders to test. @default all */
  readonly wanted: readonly string[];
  readonly update?: boolean;
  /** URL of a service whose files are compared instead of recorded ones. */
  readonly against?: string;
  /** File for the results as JUnit XML. */
  readonly junit?: string;
  /** File for a page with the differences. */
  readonly report?: string;
  /** Whether standard output is JSON. */
  readonly json?: boolean;
}

type Test = (sample: Sample) => Promise<TestedSample>;

const FAILURE = 1;
/** Only files that were recorded elsewhere differ. */
const ELSEWHERE = 3;
const LABELS: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  elsewhere: 'recorded elsewhere',
  recorded: 'recorded',
};

/** `trifold test`. Returns the exit code. Throws UsageError. */
export async function test(command: TestCommand): Promise<number> {
  const { against, update = false, directory } = command;
  if (against !== undefined && update) throw new UsageError('--update cannot be used with --against');
  if (against === undefined && directory === undefined)
    throw new UsageError('name the directory of the templates, or a service with --against');
  const service = against === undefined ? undefined : new ServicePrints(against, process.env['TRIFOLD_KEY']);
  try {
    return await withLocalRenderer(async (renderer) =>
      attempt(directory ?? against ?? '', FAILURE, async () => testSamples(command, renderer, service)),
    );
  } catch (error) {
    say(`trifold: ${startFailure(error)}`);
    return FAILURE;
  }
}

/** Tests with a renderer, without stopping it. Returns the exit code. Rejects with FileError. */
export async function testSamples(
  command: TestCommand,
  renderer: LocalRenderer,
  service?: ServicePrints,
): Promise<number> {
  const { directory, update = false } = command;
  const templates = await templatesIn(command);
  const samples = directory === undefined ? await service?.samples() : await samplesIn(templates);
  if (!samples || samples.length === 0) throw new FileError('error: there are no samples');
  const tools = await loadPdfTools();
  const printer = new SamplePrinter(renderer);
  const golden = new GoldenTest(printer, tools);
  const results = await resultsOf(samples, command, async (sample) => {
    if (service) return rehearsed(sample, service, printer, tools);
    return update ? golden.record(sample) : golden.compare(sample);
  });
  if (update) await deleteAllUnused(templates, samples);
  await writeReports(command, results, tools);
  if (command.json) process.stdout.write(`${JSON.stringify(results.map(jsonOf), undefined, 2)}\n`);
  else summarize(results);
  if (!tools.png && results.some(({ outcome }) => outcome !== 'recorded')) {
    process.stderr.write(
      'only text, pages and warnings were compared: to compare pixels, install @napi-rs/canvas\n',
    );
  }
  return exitCode(results);
}

/** Returns the paths of the requested folders; none without a directory. */
async function templatesIn({ directory, wanted }: TestCommand): Promise<readonly string[]> {
  if (directory === undefined) return [];
  const folders = (await foldersIn(directory)).map((folder) => ({ folder }));
  return wantedOf(wanted, folders).map(({ folder }) => path.join(directory, folder));
}

async function samplesIn(templates: readonly string[]): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const template of templates) {
    const { content } = await readTemplate(template);
    for (const { name, data } of content.samples) {
      samples.push({ label: path.join(template, sampleFile(name)), template, name, content, data });
    }
  }
  return samples;
}

async function resultsOf(
  samples: readonly Sample[],
  { json }: TestCommand,
  run: Test,
): Promise<readonly SampleResult[]> {
  const results: SampleResult[] = [];
  for (const sample of samples) {
    showProgress(`${results.length + 1} of ${samples.length}: ${sample.label}`);
    const started = performance.now();
    const tested = await run(sample).catch(failedSample);
    const result = { sample, ...tested, seconds: (performance.now() - started) / 1000 };
    results.push(result);
    clearProgress();
    if (!json) process.stdout.write(`${linesOf(result)}\n`);
  }
  return results;
}

function failedSample(error: unknown): TestedSample {
  if (!(error instanceof FileError || error instanceof TrifoldError)) throw error;
  const prefix = error instanceof TrifoldError ? 'error: the service: ' : '';
  return { outcome: 'failed', messages: [prefix + error.message] };
}

/** Compares what the service prints with what this process prints. */
async function rehearsed(
  sample: Sample,
  service: ServicePrints,
  printer: SamplePrinter,
  { read }: PdfTools,
): Promise<TestedSample> {
  const before = await service.print(sample);
  const after = await printer.print(sample, { mode: service.mode ?? 'live' });
  const { messages, pdfs } = await printDifferences(before, after, read);
  return { outcome: messages.length === 0 ? 'passed' : 'failed', messages, differences: pdfs };
}

async function deleteAllUnused(templates: readonly string[], samples: readonly Sample[]): Promise<void> {
  for (const template of templates) {
    const own = samples.filter((sample) => sample.template === template);
    await deleteUnused(
      template,
      own.map(({ name }) => name),
    );
  }
}

async function writeReports(
  { junit, report, against }: TestCommand,
  results: readonly SampleResult[],
  { png }: PdfTools,
): Promise<void> {
  if (junit !== undefined) await writeOutput(junit, junitReport(results));
  if (report === undefined) return;
  const titles =
    against === undefined ? (['Recorded', 'Now'] as const) : (['Service', 'This build'] as const);
  await writeOutput(report, htmlReport(results, titles, png));
}

/** Returns a line that editors turn into a link, followed by the differences. */
function linesOf({ sample, outcome, messages }: SampleResult): string {
  const details = messages.flatMap((message) => message.split('\n')).map((line) => `\n  ${line}`);
  return `${sample.label}: ${LABELS[outcome]}${details.join('')}`;
}

function jsonOf({ sample, outcome, messages, seconds }: SampleResult) {
  return { sample: sample.label, outcome, messages, seconds };
}

function summarize(results: readonly SampleResult[]): void {
  const counts = Object.entries(LABELS)
    .map(([outcome, label]) => [results.filter((each) => each.outcome === outcome).length, label] as const)
    .filter(([count]) => count > 0);
  process.stdout.write(`${counts.map((count) => count.join(' ')).join(', ')}\n`);
}

function exitCode(results: readonly SampleResult[]): number {
  if (results.some(({ outcome }) => outcome === 'failed')) return FAILURE;
  return results.some(({ outcome }) => outcome === 'elsewhere') ? ELSEWHERE : 0;
}
