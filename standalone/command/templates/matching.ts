import path from 'node:path';
import { FileError } from '../render/read-input.ts';
import { PARTS, type StoredTemplate } from './template-content.ts';
import { foldersIn, readManifest } from './template-folder.ts';
import type { TemplateName, TemplateStore } from './template-store.ts';

/** A template's folder, with the name and ID from its `template.json`. */
export interface Folder {
  readonly folder: string;
  readonly name: string;
  readonly id?: string;
}

/** Returns the template folders in a directory. Rejects with FileError. */
export async function foldersOf(directory: string): Promise<readonly Folder[]> {
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

/** Returns the paths of the named folders, or of all folders. Rejects with FileError if there are none. */
export async function wantedFolders(
  directory: string,
  wanted: readonly string[],
): Promise<readonly { readonly name: string }[]> {
  const folders = await foldersOf(directory);
  if (folders.length === 0) throw new FileError(`error: no folder here contains ${PARTS.html}`);
  return wantedOf(wanted, folders).map(({ folder }) => ({ name: path.join(directory, folder) }));
}

/** Returns the templates with these folders, IDs or names; all if none are given. Throws FileError for unknown ones. */
export function wantedOf<T extends Partial<Folder>>(
  wanted: readonly string[],
  all: readonly T[],
): readonly T[] {
  if (wanted.length === 0) return all;
  const isCalled = (name: string, { folder, id, name: title }: T) => [folder, id, title].includes(name);
  const unknown = wanted.filter((name) => !all.some((each) => isCalled(name, each)));
  if (unknown.length > 0) throw new FileError(`error: no such template: ${unknown.join(', ')}`);
  return all.filter((each) => wanted.some((name) => isCalled(name, each)));
}

/** Returns the stored templates that may match a folder: by its ID or, if it has none, by its name. */
function candidates(
  names: readonly TemplateName[],
  { id, name }: Pick<Folder, 'id' | 'name'>,
): readonly TemplateName[] {
  return names.filter((each) => (id === undefined ? each.name === name : each.id === id));
}

/** Returns the folder of a stored template. A folder with its ID takes precedence over one with its name. */
export function folderOf(
  { id }: TemplateName,
  names: readonly TemplateName[],
  local: readonly Folder[],
): string | undefined {
  const own = local.filter((folder) => {
    const [first, ...others] = candidates(names, folder);
    return first?.id === id && others.length === 0;
  });
  return (own.find((folder) => folder.id !== undefined) ?? own[0])?.folder;
}

/** Returns the stored template for a folder. Rejects with FileError if several have its name. */
export async function findStored(
  store: TemplateStore,
  names: readonly TemplateName[],
  { id, content: { name } }: StoredTemplate,
): Promise<StoredTemplate | undefined> {
  const [found, ...others] = candidates(names, { name, ...(id !== undefined && { id }) });
  if (found === undefined) return undefined;
  if (others.length === 0) return store.read(found.id);
  const ids = [found, ...others].map((each) => each.id).join(', ');
  throw new FileError(
    `error: several templates are named ${name}: set "id" in template.json to one of ${ids}`,
  );
}
