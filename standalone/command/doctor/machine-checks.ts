import { mkdtemp, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { MIN_FREE_BYTES } from '@trifold/platform/object-store/directory/directory-store.ts';
import { replaceFile } from '@trifold/platform/process/durability.ts';
import { readSettings, unknownSettings } from '@trifold/platform/settings/read-settings.ts';
import { loadStandaloneConfig } from '../../config.ts';
import { Warning, type Check, type Machine } from './check.ts';

const COMFORTABLE_BYTES = 2 ** 30;

/** Checks for every installation. The command does not start on a Node version that is too old. */
export const MACHINE_CHECKS: readonly Check[] = [
  {
    name: 'node',
    remedy: 'install Node 24, or Node 22.19 or later',
    run: async () => `Node ${process.versions.node}, ${process.platform} ${process.arch}`,
  },
  {
    name: 'settings',
    remedy: 'correct these variables; docs/configuration.md lists all settings',
    run: settings,
  },
  {
    name: 'browser',
    remedy: 'set TRIFOLD_BROWSER to a Chromium that starts on this machine, or to bundled',
    run: async ({ browser }) => `${await browser.start()} starts and prints a page`,
  },
  {
    name: 'fonts',
    needs: 'browser',
    remedy: 'install fonts, such as the packages fonts-noto-core, fonts-noto-cjk and fonts-noto-color-emoji',
    run: async ({ browser }) => {
      const missing = await browser.missingScripts();
      if (missing.length === 0) return 'cover all scripts in everyday use';
      throw new Warning(`no installed font covers ${missing.join(', ')}`);
    },
  },
  {
    name: 'disk',
    remedy: 'let this user write there and free some space, or set TRIFOLD_DATA to another directory',
    run: disk,
  },
];

async function settings({ environment }: Machine): Promise<string> {
  loadStandaloneConfig(environment);
  const unknown = unknownSettings(environment);
  if (unknown.length === 0) return 'are valid';
  const names = unknown.map(({ variable, nearest }) => `${variable} (similar: ${nearest})`);
  throw new Warning(`these variables are not settings: ${names.join(', ')}`);
}

/** Checks the data directory, or the folder where the first start would create it. */
async function disk({ environment }: Machine): Promise<string> {
  const { data } = readSettings(environment, { data: 'TRIFOLD_DATA' });
  const folder = await existing(path.resolve(data));
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < MIN_FREE_BYTES) throw new Error(`${folder} has only ${mebibytes(free)} of free space`);
  const scratch = await mkdtemp(path.join(folder, '.trifold-doctor-'));
  try {
    await replaceFile(path.join(scratch, 'file'), 'written to the disk');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  if (free < COMFORTABLE_BYTES) throw new Warning(`${folder} has ${mebibytes(free)} of free space`);
  return `${folder} can be written and synced, and has ${mebibytes(free)} of free space`;
}

async function existing(folder: string): Promise<string> {
  const found = await statfs(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && path.dirname(folder) !== folder) return undefined;
    throw error;
  });
  return found ? folder : existing(path.dirname(folder));
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
