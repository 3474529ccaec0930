import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Returns the program named by TRIFOLD_TEST_SOFFICE; undefined if there is none. */
export function libreOfficeProgram(env = process.env): string | undefined {
  return env['TRIFOLD_TEST_SOFFICE'];
}

/** Converts DOCX files to PDF in one LibreOffice process. */
export async function convertToPdf(files: ReadonlyMap<string, Buffer>): Promise<Map<string, Buffer>> {
  const program = libreOfficeProgram();
  if (!program) throw new Error('set TRIFOLD_TEST_SOFFICE to soffice (Debian: libreoffice-writer-nogui)');
  const folder = await mkdtemp(join(tmpdir(), 'trifold-libreoffice-'));
  try {
    const names = [...files.keys()];
    for (const [name, file] of files) await writeFile(join(folder, `${name}.docx`), file);
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const args = [
      '--headless',
      `-env:UserInstallation=${profile}`,
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
    ];
    const env = { ...process.env, HOME: folder };
    await promisify(execFile)(program, [...args, ...names.map((name) => join(folder, `${name}.docx`))], {
      env,
    });
    const converted = names.map(async (name) => [name, await readFile(join(folder, `${name}.pdf`))] as const);
    return new Map(await Promise.all(converted));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
