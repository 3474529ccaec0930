import { copyFile, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { run } from './keys-command.ts';
import { REPOSITORY, removeDirectory, temporaryDirectory } from './service.ts';

/**
 * Creates a project with the tarball of `@trifold/client` installed, which is removed after the tests in the file.
 */
export async function folderWithBuiltClient(): Promise<{ folder: string; packageFolder: string }> {
  const folder = await temporaryDirectory();
  afterAll(() => removeDirectory(folder));
  const tarball = await packClient('typescript', folder);
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
  await execute(folder, 'npm', 'install', '--offline', tarball);
  return { folder, packageFolder: join(folder, 'node_modules', '@trifold', 'client') };
}

/**
 * Packs a package in `clients/` into a folder and returns the tarball's path. The tarball is packed in a copy of the
 * workspace, so that test files can do this in parallel.
 */
export async function packClient(
  workspace: 'typescript' | 'testcontainers',
  folder: string,
): Promise<string> {
  const source = join(REPOSITORY, 'clients', workspace);
  const copy = await mkdtemp(join(folder, 'workspace-'));
  await execute(folder, process.execPath, join(source, 'build.ts'), '--out', join(copy, 'dist'));
  for (const file of ['package.json', 'README.md']) await copyFile(join(source, file), join(copy, file));
  await copyFile(join(REPOSITORY, 'LICENSE'), join(copy, 'LICENSE'));
  const options = ['--silent', '--ignore-scripts', '--pack-destination', folder];
  const packed = await execute(copy, 'npm', 'pack', ...options);
  return join(folder, packed.trim());
}

/** Runs a program to its end and returns its standard output. Rejects if it fails. */
export async function execute(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { cwd });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed\n${stdout}\n${stderr}`);
  return stdout;
}
