import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { findBrowser, type FindBrowserOptions } from './find-browser.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

describe('the selected browser', () => {
  let directory: string;

  beforeEach(() => void (directory = testDirectory()));

  const program = (path: string, script = 'echo Chromium 153.0.1.2') => {
    const file = join(directory, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const pathOf = (...folders: string[]) => folders.map((folder) => join(directory, folder)).join(':');
  /** A machine that does not support the npm package's browser. */
  const ARM = { platform: 'linux', arch: 'arm64' };
  const findIn = (folders: string[], options: FindBrowserOptions = {}) =>
    findBrowser({ path: pathOf(...folders), usualDirectories: [], ...options });
  const find = (...folders: string[]) => findIn(folders);
  const findOnArm = (...folders: string[]) => findIn(folders, { machine: ARM });
  /** Only where the npm package's browser can run. */
  const itUnpacks = it.skipIf(process.platform !== 'linux' || process.arch !== 'x64');

  it('is the configured one, regardless of other browsers', async () => {
    program('bin/chromium-headless-shell');
    const configured = program('own/browser', 'exit 1');
    expect(await findBrowser({ configured, path: join(directory, 'bin') })).toEqual({
      executable: configured,
      environment: {},
      source: 'configured',
    });
  });

  it.each(['missing', '.'])('cannot be a configured path that is not a program: %s', async (path) => {
    const configured = join(directory, path, 'x');
    await expect(findBrowser({ configured })).rejects.toThrow(SetupError);
    await expect(findBrowser({ configured })).rejects.toThrow(/TRIFOLD_BROWSER/);
  });

  it('cannot be a configured directory', async () => {
    await expect(findBrowser({ configured: directory })).rejects.toThrow(/not an executable file/);
  });

  itUnpacks('is the bundled one when configured, regardless of other browsers', async () => {
    program('bin/chromium-headless-shell');
    expect(await findIn(['bin'], { configured: 'bundled' })).toMatchObject({ source: 'bundled' });
  });

  it('cannot be the bundled one if it is configured but not executable on this machine', async () => {
    program('bin/chromium-headless-shell');
    const found = findIn(['bin'], { configured: 'bundled', machine: ARM });
    await expect(found).rejects.toThrow(SetupError);
    await expect(found).rejects.toThrow('linux arm64');
  });

  it('is a headless shell rather than a full browser, in any directory', async () => {
    program('first/google-chrome');
    const shell = program('second/chrome-headless-shell');
    expect(await find('first', 'second')).toMatchObject({ executable: shell, source: 'machine' });
    expect(await findOnArm('first', 'second')).toMatchObject({ executable: shell, source: 'machine' });
  });

  itUnpacks.each(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])(
    'is the bundled one rather than a full browser: %s',
    async (name) => {
      program(`bin/${name}`);
      expect(await find('bin')).toMatchObject({ source: 'bundled' });
    },
  );

  itUnpacks.each([
    ['lacks a library', 'echo "error while loading shared libraries" >&2; exit 127'],
    // Old headless shells do not support --version.
    ['prints no version', 'echo "DevTools listening"'],
    ['is a script whose program is missing', '/nowhere/chromium-headless-shell "$@"'],
    ['is killed by a signal', 'kill -9 $$'],
  ])("is the bundled one if the machine's headless shell %s", async (_, script) => {
    program('bin/chromium-headless-shell', script);
    expect(await find('bin')).toMatchObject({ source: 'bundled' });
  });

  it('can be in one of the usual directories outside PATH', async () => {
    const shell = program('usual/chromium-headless-shell');
    expect(await findBrowser({ path: '', usualDirectories: [join(directory, 'usual')] })).toMatchObject({
      executable: shell,
    });
  });

  it('is never one that does not start', async () => {
    program('first/chromium', 'echo "error while loading shared libraries" >&2; exit 127');
    program('first/chromium-browser', 'echo "install me with snap"');
    const chrome = program('second/google-chrome');
    expect(await findOnArm('first', 'second')).toMatchObject({ executable: chrome });
  });

  it("is started without the service's settings and secrets", async () => {
    vi.stubEnv('TRIFOLD_LIVE_KEY', 'secret');
    const script = '[ -z "$TRIFOLD_LIVE_KEY" ] && echo Chromium 153.0.1.2';
    const shell = program('bin/chrome-headless-shell', script);
    expect(await find('bin')).toMatchObject({ executable: shell });
    vi.unstubAllEnvs();
  });

  it('is the program behind a shell wrapper without exec, as on Debian', async () => {
    const real = program('lib/chromium-headless-shell');
    const wrapper = program('bin/chromium-headless-shell', `\n${real} "$@"`);
    expect(await find('bin')).toMatchObject({ executable: real });
    expect(await findBrowser({ configured: wrapper })).toMatchObject({ executable: real });
  });

  it('is the wrapper itself if the wrapper does more than run the program', async () => {
    const real = program('lib/headless_shell');
    const wrapper = program('bin/headless_shell', `export LD_LIBRARY_PATH=/opt/lib\n${real} "$@"`);
    expect(await find('bin')).toMatchObject({ executable: wrapper });
  });

  it("is never a snap, which cannot read the renderer's directories", async () => {
    const snap = program('snaps/snap');
    mkdirSync(join(directory, 'bin'));
    symlinkSync(snap, join(directory, 'bin', 'chromium'));
    // Ubuntu's script starts the snap.
    program('bin/chromium-browser', 'echo Chromium 153.0.1.2 snap');
    const chrome = program('bin/google-chrome');
    expect(await findOnArm('bin')).toMatchObject({ executable: chrome });
  });

  it.each([
    ['linux', 'arm64', 'chromium-headless-shell'],
    ['darwin', 'arm64', 'chrome-headless-shell'],
    ['win32', 'x64', 'TRIFOLD_BROWSER'],
  ])('must be installed if no bundled one exists: %s %s', async (platform, arch, advice) => {
    const found = findBrowser({ path: directory, usualDirectories: [], machine: { platform, arch } });
    await expect(found).rejects.toThrow(SetupError);
    await expect(found).rejects.toThrow(`${platform} ${arch}`);
    await expect(found).rejects.toThrow('TRIFOLD_BROWSER');
    await expect(found).rejects.toThrow(advice);
  });
});
