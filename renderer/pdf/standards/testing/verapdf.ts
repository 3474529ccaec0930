import { execFile, type ExecFileException } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const MAIN = 'org.verapdf.apps.GreenfieldCliWrapper';
const MAX_OUTPUT_BYTES = 2 ** 28;

/** Returns the jar named by TRIFOLD_TEST_VERAPDF; undefined if there is none. */
export function veraPdfJar(env = process.env): string | undefined {
  return env['TRIFOLD_TEST_VERAPDF'];
}

/**
 * Checks files in one JVM against the level that each claims, or against `flavour` (`2b`). Returns the rules that each
 * file breaks, by file name; a file that breaks none passes.
 */
export async function veraPdf(
  files: ReadonlyMap<string, Buffer>,
  flavour = '0',
): Promise<Map<string, readonly string[]>> {
  const jar = veraPdfJar();
  if (jar === undefined) throw new Error('set TRIFOLD_TEST_VERAPDF to the path that .ci/verapdf prints');
  const folder = await mkdtemp(join(tmpdir(), 'trifold-verapdf-'));
  try {
    const names = [...files.keys()];
    for (const [index, name] of names.entries()) {
      await writeFile(join(folder, `${index}.pdf`), files.get(name) ?? '');
    }
    const report = await run(['-cp', jar, MAIN, '--format', 'xml', '--flavour', flavour, folder]);
    return resultsOf(report, names);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the report. The exit code shows whether all files pass. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'java',
      args,
      { maxBuffer: MAX_OUTPUT_BYTES },
      (error: ExecFileException | null, report, log) => {
        if (report.includes('</report>')) resolve(report);
        else reject(new Error(`veraPDF failed: ${log}`, { cause: error }));
      },
    );
  });
}

function resultsOf(report: string, names: readonly string[]): Map<string, readonly string[]> {
  const results = new Map<string, readonly string[]>();
  for (const job of report.split('<job>').slice(1)) {
    const path = /<name>([^<]*)<\/name>/.exec(job)?.[1] ?? '';
    const name = names[Number.parseInt(basename(path), 10)] ?? path;
    const rules = Array.from(
      job.matchAll(/<rule [^>]*clause="([^"]*)" testNumber="(\d+)" status="failed"/g),
      ([, clause, test]) => `${clause}-${test}`,
    );
    const isChecked = job.includes('isCompliant="true"') || rules.length > 0;
    results.set(name, isChecked ? rules : ['not checked']);
  }
  return results;
}
