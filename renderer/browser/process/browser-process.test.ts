import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { processIdentity } from '@trifold/platform/process/process-identity.ts';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { groupPids } from '../../testing/browser/group-pids.ts';
import { launchTestBrowser, openPage, testBinary } from '../../testing/browser/test-browser.ts';
import { BrowserProcess, profileNames, sweepProfiles } from './browser-process.ts';
import { makeTemporaryDirectory, temporaryDirectory } from './own-directory.ts';
import { SandboxedLauncher } from './sandbox.ts';
import { WARM_UP_HTML, WARM_UP_SETTINGS } from '../pool/browser-slot.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const profiles = () => profileNames().filter((name) => name.startsWith(`${processIdentity()}-`));
/** Profiles of the browser shared with other test files. */
const others = profiles();
const ownProfiles = () => profiles().filter((name) => !others.includes(name));

let directory: string;
beforeEach(() => void (directory = testDirectory()));
afterEach(() => void vi.unstubAllEnvs());

describe('a browser process', () => {
  it('leaves no process or profile behind when it stops', async () => {
    const browser = await launchTestBrowser();
    const page = await openPage(browser);
    await page.print(WARM_UP_HTML, WARM_UP_SETTINGS);
    expect(browser.alive).toBe(true);
    expect(groupPids(browser.pid).length).toBeGreaterThan(1);
    expect(ownProfiles()).toHaveLength(1);
    await browser.stop();
    expect(browser.alive).toBe(false);
    await eventually(() => expect(groupPids(browser.pid)).toEqual([]));
    expect(ownProfiles()).toEqual([]);
    await browser.stop();
  });

  it('ends when the service is killed', async () => {
    const script = `
      import { launchTestBrowser } from ${JSON.stringify(join(import.meta.dirname, '../../testing/browser/test-browser.ts'))};
      const browser = await launchTestBrowser();
      process.stdout.write(String(browser.pid));
      setInterval(() => undefined, 1000);
    `;
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [pid] = (await once(service.stdout, 'data')) as [Buffer];
    expect(groupPids(Number(pid)).length).toBeGreaterThan(0);
    service.kill('SIGKILL');
    await once(service, 'exit');
    await eventually(() => expect(groupPids(Number(pid))).toEqual([]));
    const left = () => profileNames().filter((name) => name.startsWith(`${service.pid}-`));
    await eventually(async () => {
      await sweepProfiles();
      expect(left()).toEqual([]);
    });
  });

  it("sees none of the service's settings or secrets", async () => {
    vi.stubEnv('TRIFOLD_LIVE_KEY', 'tf_live_secret');
    const browser = await launchTestBrowser();
    expect(readFileSync(`/proc/${browser.pid}/environ`, 'latin1')).not.toContain('tf_live_secret');
    await browser.stop();
  });
});

describe('a browser that does not start', () => {
  const program = (script: string) => {
    const executable = join(directory, 'browser');
    writeFileSync(executable, `#!/bin/sh\n${script}\n`);
    chmodSync(executable, 0o755);
    return { executable, environment: {}, source: 'configured' as const };
  };
  const launch = (script: string) => BrowserProcess.launch({ binary: program(script), sandbox: false });

  it.each([
    [false, 0],
    [true, 5],
  ])('has a lower priority in the background: %s', async (background, nice) => {
    // The first command is sent after the priority is set.
    const binary = program('head -c 1 <&3 >/dev/null; nice >&2; exit 1');
    const launched = BrowserProcess.launch({ binary, sandbox: false, background });
    await expect(launched).rejects.toThrow(`browser did not start: ${Math.min(getPriority() + nice, 19)}`);
  });

  it("fails with the browser's message and leaves no files behind", async () => {
    await expect(launch('echo "cannot open display" >&2; exit 1')).rejects.toThrow(
      /browser did not start: cannot open display/,
    );
    expect(ownProfiles()).toEqual([]);
  });
});

describe('SandboxedLauncher', () => {
  const launcher = async (policy: 'auto' | 'required' | 'off') => {
    const real = await testBinary();
    const executable = join(directory, 'browser');
    const flags = join(directory, 'flags');
    // Chromium's own message on a machine where its sandbox does not work.
    writeFileSync(
      executable,
      `#!/bin/sh
echo "$@" >> '${flags}'
case "$*" in *--no-sandbox*) exec '${real.executable}' "$@" ;; esac
echo "FATAL: No usable sandbox! If you are running on Ubuntu 23.10+ …" >&2
exit 1
`,
    );
    chmodSync(executable, 0o755);
    const lines: string[] = [];
    const destination = new PassThrough().on('data', (line: Buffer) => lines.push(line.toString()));
    const logger = createLogger({ level: 'warn', name: 'test', destination });
    const binary = { ...real, executable };
    return {
      launcher: new SandboxedLauncher(binary, policy, logger),
      lines,
      flags,
    };
  };

  it('launches without the sandbox if the machine does not allow it, and logs this once', async () => {
    const { launcher: auto, lines } = await launcher('auto');
    const browsers = [await auto.launch(), await auto.launch()];
    expect(browsers.every(({ alive }) => alive)).toBe(true);
    expect(lines.filter((line) => line.includes('without its sandbox'))).toHaveLength(1);
    await Promise.all(browsers.map((browser) => browser.stop()));
  });

  it('fails to launch when the sandbox is required but unavailable', async () => {
    const { launcher: required, flags } = await launcher('required');
    await expect(required.launch()).rejects.toThrow(/No usable sandbox/);
    expect(existsSync(flags)).toBe(true);
  });

  it('logs nothing when the sandbox is off', async () => {
    const { launcher: off, lines } = await launcher('off');
    const browser = await off.launch();
    expect(browser.alive).toBe(true);
    expect(lines).toEqual([]);
    await browser.stop();
  });
});

describe('leftover profiles', () => {
  it('are removed when their process has ended, and kept while it is running', async () => {
    const gone = join(makeTemporaryDirectory(), '4194304-1-test');
    const alive = join(makeTemporaryDirectory(), `${processIdentity()}-test`);
    mkdirSync(gone, { recursive: true });
    mkdirSync(alive, { recursive: true });
    await sweepProfiles();
    expect([existsSync(gone), existsSync(alive)]).toEqual([false, true]);
    rmSync(alive, { recursive: true });
  });

  describe('in a directory that other users can write to', () => {
    let temporary: string;
    beforeEach(() => {
      vi.stubEnv('TMPDIR', directory);
      temporary = temporaryDirectory();
    });

    it("are kept if they are outside the renderer's directory", async () => {
      const profile = join(directory, 'trifold-browser-4194304-1-test');
      mkdirSync(profile);
      await sweepProfiles();
      expect(existsSync(profile)).toBe(true);
    });

    it.each<[string, (elsewhere: string) => void]>([
      ['a link', (elsewhere) => symlinkSync(elsewhere, temporary)],
      [
        'writable by others',
        (elsewhere) => {
          renameSync(elsewhere, temporary);
          chmodSync(temporary, 0o777);
        },
      ],
    ])('are kept, and no browser starts, if the directory is %s', async (_what, prepare) => {
      const elsewhere = join(directory, 'elsewhere');
      mkdirSync(join(elsewhere, '4194304-1-test'), { recursive: true });
      prepare(elsewhere);
      await sweepProfiles();
      expect(existsSync(join(temporary, '4194304-1-test'))).toBe(true);
      const attempt = launchTestBrowser();
      await expect(attempt).rejects.toThrow('is not a directory that only this user can write to');
    });
  });
});
