import path from 'node:path';
import { FileError } from '../render/read-input.ts';
import { folderNameOf } from './file-names.ts';
import { KindFile } from './kind-file.ts';
import { unifiedDiff } from './line-diff.ts';
import { attempt, forEach } from './problems.ts';
import { ServiceTemplates } from './service-templates.ts';
import { changedFields, comparableFiles, PARTS, type StoredTemplate } from './template-content.ts';
import { foldersIn, readManifest, readTemplate, writeManifest, writeTemplate } from './template-folder.ts';
import type { TemplateName, TemplateStore } from './template-store.ts';

/** Arguments and options of `trifold templates pull`, `push` and `diff`. */
export interface TemplatesCommand {
  /** Contains a folder for each template. */
  readonly directory: string;
  /** Folders, IDs or names. @default all templates */
  readonly wanted: readonly string[];
  /** YAML file of Template resources to use instead of the service. */
  readonly kind?: string;
  /** URL of the service. @default $TRIFOLD_URL */
  readonly url?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** A template's folder. */
interface Folder extends Partial<TemplateName> {
  readonly folder: string;
}

const FAILURE = 1;
/** As in kubectl and diff, 1 means that there are differences. */
const DIFF_FAILURE = 2;

/** Writes the templates of the store into folders. Returns the exit code. Throws UsageError. */
export async function pull(command: TemplatesCommand): Promise<number> {
  const { directory, dryRun } = command;
  return attempt(directory, FAILURE, async () => {
    const store = await openStore(command, 'read');
    const local = await foldersOf(directory);
    const taken = new Set(local.map(({ folder }) => folder));
    const names = await store.names();
    const known = names.map((each) => {
      const folder = folderOf(each, names, local);
      return { ...each, ...(folder !== undefined && { folder }) };
    });
    // The names of new folders do not depend on the order of the list.
    const sorted = wantedOf(command, known).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    return forEach(sorted, FAILURE, async ({ id, name, folder = folderNameOf(name, id, taken) }) => {
      const isNew = !taken.has(folder);
      taken.add(folder);
      const target = path.join(directory, folder);
      const template = await store.read(id);
      const before = isNew ? undefined : await readTemplate(target).catch(() => undefined);
      const done = changeOf(before, template);
      const isCurrent = done === 'unchanged' && before?.version === template.version;
      if (!dryRun && !isCurrent) await writeTemplate(target, template);
      report(command, isNew ? 'created' : done, target, template.version);
    });
  });
}

/** Saves the templates of folders in the store. Returns the exit code. Throws UsageError. */
export async function push(command: TemplatesCommand): Promise<number> {
  const { directory, dryRun = false, force = false } = command;
  return attempt(directory, FAILURE, async () => {
    const store = await openStore(command, 'write');
    const names = await store.names();
    const code = await forEach(await wantedFolders(command), FAILURE, async ({ name: folder }) => {
      const local = await readTemplate(folder);
      const stored = await findStored(store, names, local);
      const done = changeOf(stored, local);
      if (stored && done === 'updated' && !force) rejectNewer(store, stored, local);
      if (dryRun) return report(command, done, folder);
      const saved = stored && done === 'unchanged' ? stored : await store.save(local, stored, force);
      if (store.assignsIds) await writeManifest(folder, { ...local, id: saved.id, version: saved.version });
      report(command, done, folder, saved.version);
    });
    if (!dryRun) await store.close();
    return code;
  });
}

/**
 * Prints what a push would change. Returns the exit code: 0 without differences, 1 with differences, 2 after an error.
 * Throws UsageError.
 */
export async function diff(command: TemplatesCommand): Promise<number> {
  return attempt(command.directory, DIFF_FAILURE, async () => {
    const store = await openStore(command, 'read');
    const names = await store.names();
    let text = '';
    const code = await forEach(await wantedFolders(command), DIFF_FAILURE, async ({ name: folder }) => {
      const local = await readTemplate(folder);
      const stored = await findStored(store, names, local);
      text += differences(store.title, folder, stored, local);
    });
    process.stdout.write(text);
    return code || Number(text !== '');
  });
}

function differences(
  title: string,
  folder: string,
  stored: StoredTemplate | undefined,
  local: StoredTemplate,
): string {
  const before = stored ? comparableFiles(stored.content) : new Map<string, string>();
  const after = comparableFiles(local.content);
  const files = [...new Set([...before.keys(), ...after.keys()])];
  return files
    .map((file) => {
      const titles = [`${title}/${path.basename(folder)}/${file}`, path.join(folder, file)] as const;
      return unifiedDiff(titles, before.get(file), after.get(file));
    })
    .join('');
}

async function openStore({ kind, url }: TemplatesCommand, mode: 'read' | 'write'): Promise<TemplateStore> {
  if (kind !== undefined) return KindFile.open(kind, mode);
  return new ServiceTemplates(url ?? process.env['TRIFOLD_URL'], process.env['TRIFOLD_KEY']);
}

async function foldersOf(directory: string): Promise<readonly Folder[]> {
  const folders = await Promise.all(
    (await foldersIn(directory)).map(async (folder) => {
      const { id, name } = await readManifest(path.join(directory, folder));
      return { folder, name, ...(id !== undefined && { id }) };
    }),
  );
  for (const [index, { id, folder }] of folders.entries()) {
    const other = folders.slice(0, index).find((each) => id !== undefined && each.id === id);
    if (!other) continue;
    const message = `"id" is already used in ${other.folder}: remove "id" and "version" from the copy`;
    throw new FileError(`${path.join(directory, folder)}: error: ${message}`);
  }
  return folders;
}

async function wantedFolders(command: TemplatesCommand): Promise<readonly { readonly name: string }[]> {
  const { directory } = command;
  const folders = await foldersOf(directory);
  if (folders.length === 0) throw new FileError(`error: no folder here contains ${PARTS.html}`);
  return wantedOf(command, folders).map(({ folder }) => ({ name: path.join(directory, folder) }));
}

function wantedOf<T extends Partial<Folder>>({ wanted }: TemplatesCommand, all: readonly T[]): readonly T[] {
  if (wanted.length === 0) return all;
  const isCalled = (name: string, { folder, id, name: title }: T) => [folder, id, title].includes(name);
  const unknown = wanted.filter((name) => !all.some((each) => isCalled(name, each)));
  if (unknown.length > 0) throw new FileError(`error: no such template: ${unknown.join(', ')}`);
  return all.filter((each) => wanted.some((name) => isCalled(name, each)));
}

/** Finds a template's folder, by its ID or, without one, by its name. */
function folderOf(
  { id, name }: TemplateName,
  names: readonly TemplateName[],
  local: readonly Folder[],
): string | undefined {
  const byId = local.find((each) => each.id === id);
  if (byId) return byId.folder;
  const isUnique = names.filter((each) => each.name === name).length === 1;
  return isUnique ? local.find((each) => each.id === undefined && each.name === name)?.folder : undefined;
}

/** A folder without an ID is the template with its name. */
async function findStored(
  store: TemplateStore,
  names: readonly TemplateName[],
  { id, content: { name } }: StoredTemplate,
): Promise<StoredTemplate | undefined> {
  const matches = names.filter((each) => (id === undefined ? each.name === name : each.id === id));
  if (matches.length > 1) {
    const ids = matches.map((each) => each.id).join(', ');
    throw new FileError(
      `error: several templates are named ${name}: set "id" in template.json to one of ${ids}`,
    );
  }
  const [match] = matches;
  return match && store.read(match.id);
}

function rejectNewer({ title }: TemplateStore, stored: StoredTemplate, local: StoredTemplate): void {
  if (stored.version === undefined || stored.version === local.version) return;
  const own = local.version === undefined ? 'was not pulled' : `is based on version ${local.version}`;
  throw new FileError(
    `error: the template in the ${title} is at version ${stored.version}, and this folder ${own}: pull and merge it, or overwrite it with --force`,
  );
}

type Change = 'created' | 'updated' | 'unchanged';

function changeOf(before: StoredTemplate | undefined, after: StoredTemplate): Change {
  if (!before) return 'created';
  return Object.keys(changedFields(before.content, after.content)).length > 0 ? 'updated' : 'unchanged';
}

function report({ dryRun }: TemplatesCommand, done: Change, folder: string, version?: number): void {
  const verb = dryRun && done !== 'unchanged' ? `would be ${done}` : done;
  const suffix = version === undefined ? '' : ` (version ${version})`;
  process.stderr.write(`${folder}: ${verb}${suffix}\n`);
}
