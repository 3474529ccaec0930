import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { readValid } from '../render/read-input.ts';
import { rejectWrite, writeOutput } from '../render/write-output.ts';
import { fileNameOf } from '../templates/file-names.ts';
import type { Print } from './sample.ts';

const FOLDER = 'golden';

/** Metadata of a recorded file: how it was printed, and what the file itself does not contain. */
const GoldenRecord = Type.Object({
  /** The document's time, ID and version, as in the file. */
  time: Type.String(),
  id: Type.String(),
  version: Type.Integer(),
  /** SHA-256 of the template and the data. */
  source: Type.String(),
  browser: Type.String(),
  architecture: Type.String(),
  fonts: Type.Array(Type.String()),
  pages: Type.Integer(),
  warnings: Type.Array(Type.Object({ message: Type.String() }, { additionalProperties: true })),
});
export type GoldenRecord = Static<typeof GoldenRecord>;

export interface Golden extends Print {
  readonly record: GoldenRecord;
}

/** Returns a sample's recorded file. Rejects with FileError if its record is not valid. */
export async function readGolden(folder: string, sample: string): Promise<Golden | undefined> {
  const [pdfFile, recordFile] = filesOf(folder, sample);
  const pdf = await readFile(pdfFile).catch(() => undefined);
  if (!pdf) return undefined;
  const { value: record } = await readValid<GoldenRecord>(recordFile, GoldenRecord);
  return { pdf, record, warnings: record.warnings };
}

/** Records a sample's file. Rejects with FileError. */
export async function writeGolden(
  folder: string,
  sample: string,
  pdf: Uint8Array,
  record: GoldenRecord,
): Promise<void> {
  const [pdfFile, recordFile] = filesOf(folder, sample);
  await mkdir(path.dirname(pdfFile), { recursive: true }).catch(rejectWrite(pdfFile));
  await writeOutput(pdfFile, pdf);
  await writeOutput(recordFile, `${JSON.stringify(record, null, 2)}\n`);
}

/** Deletes the recorded files of samples that no longer exist. */
export async function deleteUnused(folder: string, samples: readonly string[]): Promise<void> {
  const used = new Set(samples.flatMap((sample) => filesOf(folder, sample)));
  for (const name of await readdir(path.join(folder, FOLDER)).catch(() => [])) {
    const file = path.join(folder, FOLDER, name);
    if (/\.(?:pdf|json)$/.test(name) && !used.has(file)) await rm(file, { force: true });
  }
}

function filesOf(folder: string, sample: string): readonly [pdf: string, record: string] {
  const base = path.join(folder, FOLDER, fileNameOf(sample));
  return [`${base}.pdf`, `${base}.json`];
}
