import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { StringEnum, TEMPLATE_STATES } from '@trifold/crds';
import { fromRenderOptions, toRenderOptions } from '@trifold/api-gateway/options/api-options.ts';
import { ApiError } from '@trifold/api-gateway/server/errors/api-error.ts';
import { NewTemplate } from '@trifold/api-gateway/templates/template-body.ts';
import type { TemplateSample } from '@trifold/client';
import { makeDirectory } from '@trifold/platform/object-store/directory/make-directory.ts';
import { Type, type Static } from 'typebox';
import {
  FileError,
  readEInvoiceSpec,
  readInput,
  readObject,
  readOptions,
  readSchema,
  readValid,
} from '../render/read-input.ts';
import { rejectWrite, writeOutput } from '../render/write-output.ts';
import { nameOf } from './file-names.ts';
import { filesOf, MANIFEST, manifestOf, PARTS, SAMPLES, type StoredTemplate } from './template-content.ts';

const Manifest = Type.Object(
  {
    name: NewTemplate.properties.name,
    description: Type.Optional(Type.String()),
    status: Type.Optional(StringEnum(TEMPLATE_STATES, {})),
    id: Type.Optional(Type.String()),
    version: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
type Manifest = Static<typeof Manifest>;

/** Reduced by the umask. */
const FOLDER_MODE = 0o777;

/** Returns the names of the template folders in a directory, sorted. Rejects with FileError. */
export async function foldersIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    const reason = error.code === 'ENOTDIR' ? 'not a folder' : error.message;
    throw new FileError(`${directory}: error: ${reason}`, error);
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(folders.map((name) => exists(path.join(directory, name, PARTS.html))));
  return folders.filter((_, index) => found[index]).toSorted();
}

/** Reads `template.json`; without one, the name is the folder's. Rejects with FileError. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST);
  if (!(await exists(file))) return { name: path.basename(folder) };
  return (await readValid<Manifest>(file, Manifest)).value;
}

/** Reads a template. Rejects with FileError. */
export async function readTemplate(folder: string): Promise<StoredTemplate> {
  const optional = async <T>(name: string, read: (file: string) => Promise<T>): Promise<T | null> =>
    (await exists(path.join(folder, name))) ? read(path.join(folder, name)) : null;
  const email = (file: string) => readValid<never>(file, NewTemplate.properties.email);
  const { id, version, name, description = null, status = 'active' } = await readManifest(folder);
  const content = {
    name,
    description,
    status,
    html: (await readInput(path.join(folder, PARTS.html))).toString(),
    css: await optional(PARTS.css, async (file) => (await readInput(file)).toString()),
    schema: (await optional(PARTS.schema, readSchema))?.value ?? null,
    default_options: await optional(PARTS.default_options, readDefaults),
    email: (await optional(PARTS.email, email))?.value ?? null,
    e_invoice: (await optional(PARTS.e_invoice, readEInvoiceSpec))?.value ?? null,
    samples: (await optional(SAMPLES, readSamples)) ?? [],
  };
  return { id, version, content };
}

/** Reads options in the form that the service returns: for example, with margins for each side. */
async function readDefaults(file: string) {
  const { value } = await readOptions(file);
  try {
    return fromRenderOptions(toRenderOptions(value, ''));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problems = error.details ?? [{ path: '', message: error.message }];
    throw new FileError(
      problems.map(({ path: field, message }) => `${file}: error: ${field.slice(1)} ${message}`).join('\n'),
    );
  }
}

async function readSamples(folder: string): Promise<readonly TemplateSample[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const { value: data } = await readObject(path.join(folder, file));
      return { name: nameOf(file.slice(0, -'.json'.length)), data };
    }),
  );
}

/** Writes a template to a folder and deletes the files of parts and samples that it lacks. Rejects with FileError. */
export async function writeTemplate(folder: string, template: StoredTemplate): Promise<void> {
  const files = new Map([[MANIFEST, manifestOf(template)], ...filesOf(template.content)]);
  const samples = await readdir(path.join(folder, SAMPLES)).catch(() => []);
  const own = [
    ...Object.values(PARTS),
    ...samples.filter((name) => name.endsWith('.json')).map((name) => `${SAMPLES}/${name}`),
  ];
  for (const place of ['', SAMPLES, ...files.keys()]) await rejectLink(path.join(folder, place));
  for (const [name, text] of files) await writeIfChanged(path.join(folder, name), text);
  for (const name of own) if (!files.has(name)) await rm(path.join(folder, name), { force: true });
}

/** Writes `template.json`. */
export async function writeManifest(folder: string, template: StoredTemplate): Promise<void> {
  await rejectLink(path.join(folder, MANIFEST));
  await writeIfChanged(path.join(folder, MANIFEST), manifestOf(template));
}

async function writeIfChanged(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => undefined)) === text) return;
  await makeFolder(path.dirname(file));
  await writeOutput(file, text);
}

async function makeFolder(folder: string): Promise<void> {
  await makeDirectory(folder, FOLDER_MODE).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new FileError(`${folder}: error: not a folder`, error);
    if (error.code === 'ENOENT')
      throw new FileError(`${folder}: error: no folder can be created here`, error);
    rejectWrite(folder)(error);
  });
}

/** A link in a repository could make a pull overwrite any of the user's files. */
async function rejectLink(file: string): Promise<void> {
  const isLink = await lstat(file).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  if (isLink)
    throw new FileError(
      `${file}: error: symbolic links are not supported: replace the link with a file or folder`,
    );
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
