import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@trifold/test-support/eventually.ts';
import { NodeProcess } from '@trifold/test-support/processes/node-process.ts';
import { descendantsOf } from '@trifold/test-support/processes/process-tree.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RendererFixture } from '../../testing/renderer-fixture.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { DEFAULT_BROWSER_LIMITS } from '../pool/browser-limits.ts';
import { BrowserPool } from '../pool/browser-pool.ts';
import { WARM_UP_SETTINGS } from '../pool/browser-slot.ts';
import { connectBrowser } from '../process/browser.ts';
import { groupMemoryBytes } from '../process/group-memory.ts';
import { groupPids } from '../../testing/browser/group-pids.ts';
import { launchKind, launchPath } from './launcher-protocol.ts';
import { RemoteLauncher } from './remote-launcher.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const MAIN = 'renderer/browser/launcher/main.ts';

let folder: string;
let browserSocket: string;
let launcher: NodeProcess;
let fixture: RendererFixture | undefined;
const start = (environment: Readonly<Record<string, string>> = {}) => {
  launcher = new NodeProcess('browser launcher', MAIN, {
    TRIFOLD_BROWSER_SOCKET: browserSocket,
    // The machine's browser cannot start its sandbox as root.
    ...(process.getuid?.() === 0 && { TRIFOLD_BROWSER_SANDBOX: 'off' }),
    ...environment,
  });
};
const startRenderer = async () => {
  fixture = await RendererFixture.start({ browserSocket, browsers: 1 });
  return fixture;
};
beforeEach(() => {
  folder = testDirectory();
  browserSocket = join(folder, 'browser.sock');
  start();
});
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
  await launcher.stop();
});

describe('A browser launcher', () => {
  it("starts a renderer's browsers as its own processes, which exit when the renderer closes", async () => {
    const renderer = await startRenderer();
    const { pages } = await renderer.read({ html: '<p>over a socket</p>' });
    expect(pages.map(({ text }) => text)).toEqual(['over a socket']);
    const [pid = 0] = renderer.renderer.browserPids;
    expect(descendantsOf(launcher.pid).map((one) => one.pid)).toContain(pid);
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toMatch(/(^|\0)TRIFOLD_/);
    await renderer.close();
    await eventually(() => expect(groupPids(pid)).toEqual([]));
    expect(launcher.running).toBe(true);
  });

  it('allows only its user and group to connect', async () => {
    await launcher.says('browser launcher ready');
    expect(statSync(browserSocket).mode & 0o777).toBe(0o660);
  });

  it('receives the kind of browser to start', () => {
    for (const drawsFrames of [true, false]) {
      const kind = { drawsFrames, scripts: !drawsFrames, background: drawsFrames };
      expect(launchKind(launchPath(kind))).toEqual(kind);
    }
  });

  it('reports the memory of a browser', async () => {
    const running = await new RemoteLauncher(browserSocket).launch();
    await eventually(async () => {
      const here = await groupMemoryBytes(running.pid);
      const ratio = (await running.memoryBytes()) / here;
      expect(ratio).toBeGreaterThan(0.9);
      expect(ratio).toBeLessThan(1.1);
    });
    await running.stop();
    await eventually(() => expect(groupPids(running.pid)).toEqual([]));
    expect(await running.memoryBytes()).toBe(0);
  });

  it('fails a document as retryable if the launcher is killed, and prints the next document after a restart', async () => {
    const remote = new RemoteLauncher(browserSocket);
    const pool = new BrowserPool({
      launch: async () => connectBrowser(await remote.launch(), 2 ** 20),
      size: 1,
      limits: DEFAULT_BROWSER_LIMITS,
      clock: systemClock,
      logger: createLogger({ level: 'silent', name: 'test' }),
    });
    await pool.start();
    const print = (before?: () => Promise<void>) =>
      pool.withPage('acme', AbortSignal.timeout(60_000), async (page) => {
        await before?.();
        return page.print('<p>text</p>', WARM_UP_SETTINGS);
      });
    const crashed = { code: 'browser_crashed', retryable: true };
    await expect(print(() => launcher.kill())).rejects.toMatchObject(crashed);
    const next = print();
    start();
    expect((await readPdf(await next)).pages).toHaveLength(1);
    await pool.stop();
  });

  it('reports the reason if a browser does not start', async () => {
    await launcher.stop();
    start({ TRIFOLD_BROWSER: '/bin/false' });
    await expect(new RemoteLauncher(browserSocket).launch()).rejects.toThrow('/bin/false did not start');
  });
});
