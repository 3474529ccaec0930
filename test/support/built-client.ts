import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './keys-command.ts';
import { REPOSITORY, temporaryDirectory } from './service.ts';

/** A folder, for the caller to remove, in which `@trifold/client` is installed as it would be published. */
export async function folderWithBuiltClient(): Promise<{ folder: string; packageFolder: string }> {
  const folder = await temporaryDirectory();
  const packageFolder = join(folder, 'node_modules', '@trifold', 'client');
  await mkdir(packageFolder, { recursive: true });
  const build = join(REPOSITORY, 'clients/typescript/build.ts');
  const { code, stdout, stderr } = await run(process.execPath, [build, '--out', packageFolder]);
  if (code !== 0) throw new Error(`the client does not build\n${stdout}\n${stderr}`);
  return { folder, packageFolder };
}
