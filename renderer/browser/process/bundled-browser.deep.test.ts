import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { suiteDirectory } from '@trifold/test-support/files/test-directory.ts';
import { describe, expect, it } from 'vitest';
import { unpackBundledBrowser } from './bundled-browser.ts';

const run = promisify(execFile);

describe('the bundled browser', () => {
  const cache = suiteDirectory();
  const entries = () => readdirSync(cache);

  it('is unpacked once if several processes need it at the same time', async () => {
    const script = `
      import { unpackBundledBrowser } from ${JSON.stringify(join(import.meta.dirname, 'bundled-browser.ts'))};
      const { executable } = await unpackBundledBrowser(${JSON.stringify(cache)});
      process.stdout.write(executable);
    `;
    const starts = [1, 2, 3].map(() => run(process.execPath, ['--input-type=module', '-e', script]));
    const executables = (await Promise.all(starts)).map(({ stdout }) => stdout);
    expect(new Set(executables).size).toBe(1);
    expect(entries()).toHaveLength(1);
    const { stdout } = await run(executables[0] ?? '', ['--version']);
    expect(stdout).toMatch(/Chromium \d+/);
  });

  it('is not unpacked again', async () => {
    const { executable } = await unpackBundledBrowser(cache);
    const before = statSync(executable);
    await unpackBundledBrowser(cache);
    expect(statSync(executable)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it('contains all libraries that the system does not provide', async () => {
    const { executable } = await unpackBundledBrowser(cache);
    const own = join(dirname(executable), 'lib');
    const { stdout } = await run(executable, [], {
      env: { LD_TRACE_LOADED_OBJECTS: '1', LD_LIBRARY_PATH: own },
    });
    const libraries = [...stdout.matchAll(/^\s*(\S+) => (\S+)/gm)].map(([, name = '', path = '']) => ({
      name,
      path,
    }));
    expect(libraries.map(({ name }) => name)).toContain('libnss3.so');
    const foreign = libraries.filter(({ path }) => dirname(path) !== own).map(({ name }) => name);
    // Libraries of Debian's libc6 and libgcc-s1, which Node.js itself needs.
    const system = /^(?:libc|libm|libdl|libpthread|librt|libgcc_s|ld-linux-x86-64)\.so\.\d+$/;
    expect(foreign.filter((name) => !system.test(name))).toEqual([]);
  });

  it('bundles fonts and configures the browser to use them', async () => {
    const { executable, environment } = await unpackBundledBrowser(cache);
    const configuration = readFileSync(environment['FONTCONFIG_FILE'] ?? '', 'utf8');
    const fonts = join(dirname(executable), 'fonts');
    expect(configuration).toContain(`<dir>${fonts}</dir>`);
    expect(existsSync(join(fonts, 'Open_Sans', 'OpenSans-Regular.ttf'))).toBe(true);
  });

  it('is unpacked again if some of its files are missing', async () => {
    const { executable } = await unpackBundledBrowser(cache);
    rmSync(executable);
    await expect(unpackBundledBrowser(cache)).resolves.toMatchObject({ executable });
    expect(existsSync(executable)).toBe(true);
  });

  it('removes files left behind by a killed process', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    const [name = ''] = entries();
    mkdirSync(join(cache, `${name}.${child.pid}-1.abc`));
    await unpackBundledBrowser(cache);
    expect(entries()).toEqual([name]);
  });

  it('does not run from a directory that other users can write to', async () => {
    const [name = ''] = entries();
    chmodSync(join(cache, name), 0o777);
    await expect(unpackBundledBrowser(cache)).rejects.toThrow(/remove that directory/);
    chmodSync(join(cache, name), 0o700);
    await expect(unpackBundledBrowser(cache)).resolves.toBeDefined();
  });
});

describe('The cache directory of the bundled browser', () => {
  const directory = suiteDirectory();

  /** Unpacks the browser in a process with these variables; returns the executable's path. */
  async function unpackWith(environment: Readonly<Record<string, string>>): Promise<string> {
    const script = `
      import { unpackBundledBrowser } from ${JSON.stringify(join(import.meta.dirname, 'bundled-browser.ts'))};
      const { executable } = await unpackBundledBrowser();
      process.stdout.write(executable);
    `;
    const env = { PATH: process.env['PATH'], TMPDIR: directory, ...environment };
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: directory,
      env,
      timeout: 40_000,
    });
    return stdout;
  }

  it.each([
    ['cannot be written', { HOME: '/proc/trifold' }],
    ['is not set', { HOME: '' }],
    ['is a relative path', { HOME: '/proc/trifold', XDG_CACHE_HOME: 'cache' }],
  ])('is the temporary directory if a home %s', async (_, environment) => {
    expect(await unpackWith(environment)).toMatch(`${directory}/trifold-`);
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('causes an error that names XDG_CACHE_HOME if no directory is writable', async () => {
    const nowhere = unpackWith({ HOME: '/proc/trifold', TMPDIR: '/proc/trifold' });
    await expect(nowhere).rejects.toThrow(/SetupError: cannot unpack the browser: .*XDG_CACHE_HOME/);
  });
});
