import path from 'node:path';
import { FileError } from '../render/read-input.ts';
import { folderNameOf } from './file-names.ts';
import { KindFile } from './kind-file.ts';
import { unifiedDiff } from './line-diff.ts';
import { findStored, folderOf, foldersOf, wantedFolders, wantedOf } from './matching.ts';
import { ServiceTemplates } from './service-templates.ts';
import { changedFields, comparableFiles, type StoredTemplate } from './template-content.ts';
import { readTemplate, writeManifest, writeTemplate } from './template-folder.ts';
import { TemplateReport, type Change } from './template-report.ts';
import type { TemplateStore } from './template-store.ts';

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
  /** Writes the results to standard output as JSON. */
  readonly json?: boolean;
}

const FAILURE = 1;
/** As in kubectl and diff, 1 means that there are differences. */
const DIFF_FAILURE = 2;

/** Writes the store's templates into folders. Returns the exit code. Throws UsageError. */
export async function pull(command: TemplatesCommand): Promise<number> {
  const { directory, wanted, dryRun } = command;
  const report = new TemplateReport(command, FAILURE);
  return report.run(directory, async () => {
    const store = await openStore(command, 'read');
    const local = await foldersOf(directory);
    const taken = new Set(local.map(({ folder }) => folder));
    const names = await store.names();
    const known = names.map((each) => {
      const folder = folderOf(each, names, local);
      return { ...each, ...(folder !== undefined && { folder }) };
    });
    // The names of new folders do not depend on the order of the list.
    const sorted = wantedOf(wanted, known).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    await report.each(sorted, async ({ id, name, folder = folderNameOf(name, id, taken) }) => {
      const isNew = !taken.has(folder);
      taken.add(folder);
      const target = path.join(directory, folder);
      const template = await store.read(id);
      const before = isNew ? undefined : await readTemplate(target).catch(() => undefined);
      const change = changeOf(before, template);
      const isCurrent = change === 'unchanged' && before?.version === template.version;
      if (!dryRun && !isCurrent) await writeTemplate(target, template);
      report.done({ folder: target, change: isNew ? 'created' : change, version: template.version });
    });
    return 0;
  });
}

/** Saves templates from folders in the store. Returns the exit code. Throws UsageError. */
export async function push(command: TemplatesCommand): Promise<number> {
  const { directory, wanted, dryRun = false, force = false } = command;
  const report = new TemplateReport(command, FAILURE);
  return report.run(directory, async () => {
    const store = await openStore(command, 'write');
    const names = await store.names();
    await report.each(await wantedFolders(directory, wanted), async ({ name: folder }) => {
      const local = await readTemplate(folder);
      const stored = await findStored(store, names, local);
      const change = changeOf(stored, local);
      if (stored && change === 'updated' && !force) rejectNewer(store, stored, local);
      if (dryRun) return report.done({ folder, change });
      const saved = stored && change === 'unchanged' ? stored : await store.save(local, stored, force);
      if (store.assignsIds) await writeManifest(folder, { ...local, id: saved.id, version: saved.version });
      report.done({ folder, change, version: saved.version });
    });
    if (!dryRun) await store.close();
    return 0;
  });
}

/**
 * Prints what a push would change. Returns the exit code: 0 without differences, 1 with differences, 2 after an error.
 * Throws UsageError.
 */
export async function diff(command: TemplatesCommand): Promise<number> {
  const { directory, wanted, json } = command;
  const report = new TemplateReport(command, DIFF_FAILURE);
  return report.run(directory, async () => {
    const store = await openStore(command, 'read');
    const names = await store.names();
    let text = '';
    await report.each(await wantedFolders(directory, wanted), async ({ name: folder }) => {
      const local = await readTemplate(folder);
      const stored = await findStored(store, names, local);
      const found = differences(store.title, folder, stored, local);
      report.add({ folder, change: changeOf(stored, local), diff: found });
      text += found;
    });
    if (!json) process.stdout.write(text);
    return Number(text !== '');
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

function rejectNewer({ title }: TemplateStore, stored: StoredTemplate, local: StoredTemplate): void {
  if (stored.version === undefined || stored.version === local.version) return;
  const own = local.version === undefined ? 'was not pulled' : `is based on version ${local.version}`;
  throw new FileError(
    `error: the template in the ${title} is at version ${stored.version}, and this folder ${own}: pull and merge it, or overwrite it with --force`,
  );
}

function changeOf(before: StoredTemplate | undefined, after: StoredTemplate): Change {
  if (!before) return 'created';
  return Object.keys(changedFields(before.content, after.content)).length > 0 ? 'updated' : 'unchanged';
}
