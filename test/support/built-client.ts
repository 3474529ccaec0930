import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { run } from './keys-command.ts';
import { REPOSITORY, removeDirectory, temporaryDirectory } from './service.ts';

const WORKSPACE = join(REPOSITORY, 'clients/typescript');

/**
 * Creates a project with the tarball of `@trifold/client` installed, which is removed after the tests of the file. The
 * tarball is packed in a copy of the workspace, so that test files can do this in parallel.
 */
export async function folderWithBuiltClient(): Promise<{ folder: string; packageFolder: string }> {
  const folder = await temporaryDirectory();
  afterAll(() => removeDirectory(folder));
  const copy = join(folder, 'workspace');
  await mkdir(copy);
  await execute(folder, process.execPath, join(WORKSPACE, 'build.ts'), '--out', join(copy, 'dist'));
  for (const file of ['package.json', 'README.md']) await copyFile(join(WORKSPACE, file), join(copy, file));
  await copyFile(join(REPOSITORY, 'LICENSE'), join(copy, 'LICENSE'));
  const packed = await execute(
    copy,
    'npm',
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  );
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await execute(folder, 'npm', 'install', '--offline', `./${packed.trim()}`);
  return { folder, packageFolder: join(folder, 'node_modules', '@trifold', 'client') };
}

async function execute(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}\n${stderr}`);
  return stdout;
}
